import { Entity, Index, PrimaryColumn } from 'typeorm';

/** A profile that a person refers to, or has referred to (`link_profile.sql`). It stays when either is deleted. */
@Entity('person_profiles')
export class PersonProfile {
  @PrimaryColumn({ type: 'uuid' }) personId!: string;
  @PrimaryColumn({ type: 'uuid' }) @Index() profileId!: string;
}
