import { isEmail } from '../../fields/types/text.js';
import { ROLES, type Area, type Role } from '../../access/access.js';
import type { SingleSignOn } from '../../config/single-sign-on.js';
import { isEmailAddress } from '../../config/email-address.js';
import type { Database } from '../../database/database.js';
import type { Transaction } from '../../database/executor.js';
import { MAX_LINE } from '../../fields/types/text.js';
import { DomainError } from '../../http/errors.js';
import { areLastAdministrators } from '../profile/last-administrators.js';
import type { NewSession, Sessions } from '../session/sessions.js';
import type { Claims } from './identity-provider.js';
import { sql, write } from '../../database/sql.js';

interface FoundProfile {
  id: string;
  role: Role;
  areas: Area[];
  isActive: boolean;
}

const FOUND = sql`p.id, p.role, p.areas, p.is_active AS "isActive"`;

const INACTIVE = 'The profile is not active';
const UNKNOWN = 'There is no profile for this person. Ask an administrator to create one';
const UNVERIFIED =
  'A profile with this email address exists, but the provider has not verified that the address belongs to this person';
const CLAIMED =
  'The profile with this email address is linked to another person, whose address the provider has not verified. Ask an administrator';
const MEANWHILE = 'The profile was changed during the sign-in. Start again';

/** Finds, links and creates the profiles of people who sign in at the provider. */
export class Identities {
  constructor(
    private readonly db: Database,
    private readonly sessions: Sessions,
    private readonly settings: SingleSignOn,
  ) {}

  /**
   * Opens a session of the person's profile, after the person's groups have set its role and areas.
   * @param requestId in the change log. The changes are recorded as the system's
   * @returns the token of the session
   * @throws DomainError forbidden if the person has no profile, or an inactive one
   */
  signIn(claims: Claims, client: NewSession, requestId: string): Promise<string> {
    return this.db.as({ requestId }).transaction(async (tx) => {
      const profile =
        (await this.known(tx, claims)) ?? (await this.link(tx, claims)) ?? (await this.create(tx, claims));
      if (!profile.isActive) throw new DomainError('forbidden', INACTIVE);
      await this.applyGroups(tx, profile, claims.groups);
      const token = await this.sessions.open(tx, profile.id, client);
      if (token === undefined) throw new DomainError('forbidden', INACTIVE);
      return token;
    });
  }

  /** The profile of an identity that has signed in before. Its email address does not matter. */
  private async known(
    tx: Transaction,
    { issuer, subject, email, emailVerified }: Claims,
  ): Promise<FoundProfile | undefined> {
    const [profile] = await tx.query<FoundProfile & { becameVerified: boolean }>(
      sql`SELECT ${FOUND}, NOT i.email_verified AND ${emailVerified} AND ${isEmail('p.email', email ?? null)} AS "becameVerified"
        FROM identities i JOIN profiles p ON p.id = i.profile_id WHERE i.issuer = ${issuer} AND i.subject = ${subject}`,
    );
    if (profile?.becameVerified) {
      await tx.write(
        write`UPDATE identities SET email_verified = true WHERE issuer = ${issuer} AND subject = ${subject}`,
      );
    }
    return profile;
  }

  /**
   * Links a new identity to the profile with its email address. A profile that was created for an unverified address is never linked to
   * a person who verifies the address later, because its creator could act for them.
   */
  private async link(tx: Transaction, claims: Claims): Promise<FoundProfile | undefined> {
    if (claims.email === undefined) return undefined;
    const [profile] = await tx.query<FoundProfile & { isClaimed: boolean }>(
      sql`SELECT ${FOUND}, EXISTS (SELECT 1 FROM identities i WHERE i.profile_id = p.id AND NOT i.email_verified) AS "isClaimed"
        FROM profiles p WHERE ${isEmail('p.email', claims.email)} FOR NO KEY UPDATE OF p`,
    );
    if (!profile) return undefined;
    if (!claims.emailVerified) throw new DomainError('forbidden', UNVERIFIED);
    if (profile.isClaimed) throw new DomainError('forbidden', CLAIMED);
    if (!profile.isActive) throw new DomainError('forbidden', INACTIVE);
    await this.addIdentity(tx, claims, profile.id);
    return profile;
  }

  /** Creates a profile that has no password. */
  private async create(tx: Transaction, claims: Claims): Promise<FoundProfile> {
    const { createProfiles, defaultRole, defaultAreas } = this.settings;
    if (!createProfiles) throw new DomainError('forbidden', UNKNOWN);
    const { email = '' } = claims;
    if (email.length > MAX_LINE || !isEmailAddress(email)) {
      throw new DomainError('forbidden', 'The provider gives no email address from which a profile can be created');
    }
    const [profile] = await tx.write<FoundProfile>(
      write`INSERT INTO profiles AS p (email, role, areas) VALUES (${email}, ${defaultRole}, ${defaultAreas})
        ON CONFLICT DO NOTHING RETURNING ${FOUND}`,
    );
    // A concurrent sign-in of the same person, or an administrator, has created it.
    const found = profile ?? (await this.known(tx, claims)) ?? (await this.link(tx, claims));
    if (!found) throw new DomainError('unauthenticated', MEANWHILE);
    if (profile) await this.addIdentity(tx, claims, profile.id);
    return found;
  }

  private async addIdentity(
    tx: Transaction,
    { issuer, subject, emailVerified }: Claims,
    profileId: string,
  ): Promise<void> {
    const [linked] = await tx.write<{ profileId: string }>(
      write`INSERT INTO identities AS i (issuer, subject, profile_id, email_verified) VALUES (${issuer}, ${subject}, ${profileId}, ${emailVerified})
       ON CONFLICT (issuer, subject) DO UPDATE SET email_verified = i.email_verified RETURNING profile_id AS "profileId"`,
    );
    if (linked!.profileId !== profileId) throw new DomainError('unauthenticated', MEANWHILE);
  }

  private async applyGroups(tx: Transaction, profile: FoundProfile, groups: readonly string[]): Promise<void> {
    const { roleMap, areaMap, defaultRole, defaultAreas } = this.settings;
    const given = <T>(map: readonly { group: string; gives: T }[]): T[] =>
      map.filter(({ group }) => groups.includes(group)).map(({ gives }) => gives);
    let role = profile.role;
    if (roleMap) {
      const roles = given(roleMap);
      role = ROLES.findLast((one) => roles.includes(one)) ?? defaultRole;
    }
    const mapped = areaMap && given(areaMap);
    const areas = mapped === undefined ? profile.areas : mapped.length > 0 ? [...new Set(mapped)] : defaultAreas;
    if (profile.role === 'admin' && role !== 'admin' && (await areLastAdministrators(tx, [profile.id]))) role = 'admin';
    const [newRole, newAreas] = [sql`${role}`, sql`${areas}`];
    // The same areas in another order are no change.
    await tx.write(
      write`UPDATE profiles SET role = ${newRole}, areas = ${newAreas}, updated_at = now()
        WHERE id = ${profile.id} AND (role <> ${newRole} OR NOT (areas @> ${newAreas} AND areas <@ ${newAreas}))`,
    );
  }
}
