import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Profile } from '../profile/profile.entity.js';

/** A person at an identity provider, and the profile that signs in with it. */
@Entity('identities')
export class Identity {
  @PrimaryColumn({ type: 'text' }) issuer!: string;
  /** Unique at the issuer and never reassigned, unlike an email address. */
  @PrimaryColumn({ type: 'text' }) subject!: string;
  @Index() @Column({ type: 'uuid' }) profileId!: string;
  @ManyToOne(() => Profile, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'profile_id' })
  profile!: Profile;
  /** Whether the issuer has verified that the profile's email address belongs to this person. */
  @Column({ type: 'boolean' }) emailVerified!: boolean;
  @Column({ type: 'timestamp with time zone', precision: 3, default: () => 'now()' }) createdAt!: Date;
}
