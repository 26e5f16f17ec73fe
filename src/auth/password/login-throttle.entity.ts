import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Login attempts of an account or an address: failures within a window of time, and attempts in flight. */
@Entity('login_throttles')
export class LoginThrottle {
  /** `account:` and the digest of an email, or `address:` and an IP address, or the network that counts as one. */
  @PrimaryColumn({ type: 'text' }) key!: string;
  /** Number of failed attempts. */
  @Column({ type: 'integer' }) attempts!: number;
  @Column({ type: 'timestamp with time zone', precision: 3 }) windowEndsAt!: Date;
  /** The time at which each attempt in flight expires, in case its process has ended. */
  @Column({ type: 'timestamp with time zone', array: true, default: () => "'{}'" }) inFlight!: Date[];
}
