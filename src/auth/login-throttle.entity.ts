import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Failed logins of an account or an address within a window of time. */
@Entity('login_throttles')
export class LoginThrottle {
  /** `account:` and the digest of an email, or `address:` and an IP address, or the network that counts as one. */
  @PrimaryColumn({ type: 'text' }) key!: string;
  @Column({ type: 'integer' }) attempts!: number;
  @Column({ type: 'timestamp with time zone', precision: 3 }) windowEndsAt!: Date;
}
