import { SqlMigration } from './sql-migration.js';

/* People at identity providers, and profiles without a password. */

// Well-formed, so that verifying a password with it fails like any wrong one. No password has this hash.
const NOBODYS = '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

export class Identities1795317600000 extends SqlMigration {
  readonly name = 'Identities1795317600000';

  protected readonly statements = {
    up: [
      'ALTER TABLE profiles ALTER password_hash DROP NOT NULL',
      `CREATE TABLE identities (
    issuer text NOT NULL,
    subject text NOT NULL,
    profile_id uuid NOT NULL,
    email_verified boolean NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT pk_identities PRIMARY KEY (issuer, subject),
    CONSTRAINT fk_identities_profile_id FOREIGN KEY (profile_id) REFERENCES profiles (id) ON DELETE CASCADE
  )`,
      'CREATE INDEX ix_identities_profile_id ON identities (profile_id)',
    ],
    down: [
      'DROP TABLE identities',
      `UPDATE profiles SET password_hash = '${NOBODYS}' WHERE password_hash IS NULL`,
      'ALTER TABLE profiles ALTER password_hash SET NOT NULL',
    ],
  };
}
