import { Entity, Index, PrimaryColumn } from 'typeorm';

/** A profile that a person names, or has named (`link_profile.sql`). It stays when either is gone. */
@Entity('person_profiles')
export class PersonProfile {
  @PrimaryColumn({ type: 'uuid' }) personId!: string;
  @PrimaryColumn({ type: 'uuid' }) @Index() profileId!: string;
}
