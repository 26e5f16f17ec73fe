/* A certified OpenID Connect provider in a process of its own. Sends its issuer to its parent. Whoever logs in chooses the claims:
   `subject;email;verified;group group`. Two clients share it. Any service on the loopback address may be the client. */
import { Provider } from 'oidc-provider';
import { createServer } from 'node:http';

const CALLBACK = '/api/auth/oidc/callback';
const server = createServer().listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;

const claimsOf = (id) => {
  const [, email, verified, groups = ''] = id.split(';');
  return { sub: id, email, email_verified: verified === 'verified', groups: groups.split(' ').filter(Boolean) };
};
const client = (name) => ({
  client_id: name,
  client_secret: `the secret of ${name} `.padEnd(32, '.'),
  redirect_uris: [`http://127.0.0.1${CALLBACK}`],
});
const provider = new Provider(issuer, {
  clients: [client('inventory'), client('other')],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['groups'] },
  findAccount: (_context, id) => ({ accountId: id, claims: () => claimsOf(id) }),
  cookies: { keys: ['a key of the tests'] },
  pkce: { required: () => true },
  // Whoever logs in consents.
  async loadExistingGrant({ oidc }) {
    const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
    grant.addOIDCScope('openid email profile');
    await grant.save();
    return grant;
  },
});
provider.Client.prototype.redirectUriAllowed = (uri) => {
  const { hostname, pathname, search } = new URL(uri);
  return hostname === '127.0.0.1' && pathname === CALLBACK && search === '';
};
server.on('request', provider.callback());
process.send(issuer);
process.on('disconnect', () => process.exit());
