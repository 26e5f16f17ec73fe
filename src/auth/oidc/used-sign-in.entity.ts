import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A sign-in whose callback has come. It is kept until its state would have expired anyway. */
@Entity('used_sign_ins')
export class UsedSignIn {
  /** SHA-256 of the state, as base64url. */
  @PrimaryColumn({ type: 'text' }) stateHash!: string;
  @Column({ type: 'timestamp with time zone', precision: 3 }) expiresAt!: Date;
}
