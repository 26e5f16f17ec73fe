import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Logins of an account or an address: those that failed within a window of time, and those in flight. */
@Entity('login_throttles')
export class LoginThrottle {
  /** `account:` and the digest of an email, or `address:` and an IP address, or the network that counts as one. */
  @PrimaryColumn({ type: 'text' }) key!: string;
  /** Those that failed. */
  @Column({ type: 'integer' }) attempts!: number;
  @Column({ type: 'timestamp with time zone', precision: 3 }) windowEndsAt!: Date;
  /** When each attempt that has not ended no longer counts: its process may be gone. */
  @Column({ type: 'timestamp with time zone', array: true, default: () => "'{}'" }) inFlight!: Date[];
}
