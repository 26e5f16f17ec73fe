import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The response to a POST with an `Idempotency-Key`, kept for a day. */
@Entity('idempotency_keys')
export class IdempotencyKey {
  @PrimaryColumn({ type: 'uuid' }) profileId!: string;
  /** Path of the request. */
  @PrimaryColumn({ type: 'text' }) route!: string;
  @PrimaryColumn({ type: 'varchar', length: 255 }) key!: string;
  /** Keyed digest of the body. */
  @Column({ type: 'text' }) bodyDigest!: string;
  @Column({ type: 'text' }) answer!: string;
  @Index() @Column({ type: 'timestamp with time zone', precision: 3, default: () => 'now()' }) createdAt!: Date;
}
