/* The request as a command that works when it is pasted into a shell. */

const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const LOGIN = '/api/auth/login';

/** Stores the session of a login, sends it to the rest of the API, and omits it from public operations. */
function cookieOption(url, headers) {
  const { pathname } = new URL(url);
  // A token says who asks.
  if ('Authorization' in headers) return undefined;
  if (pathname === LOGIN) return '-c cookies.txt';
  return pathname.startsWith('/api/') ? '-b cookies.txt' : undefined;
}

function curlOf({ url, method, headers, body }) {
  const sendsBody = typeof body === 'string' && body !== '';
  const isDefault = method === (sendsBody ? 'POST' : 'GET');
  return [
    isDefault ? 'curl' : `curl -X ${method}`,
    cookieOption(url, headers),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    sendsBody && `-d ${quoted(body)}`,
    quoted(url),
  ]
    .filter(Boolean)
    .join(' \\\n  ');
}

/** The command that makes `cookies.txt`; the page knows no password. */
const loginCurl = (email) =>
  curlOf({
    url: `${location.origin}${LOGIN}`,
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password: '…' }),
  });

/** Replaces Swagger UI's own command, which lacks the session, because no script may read its cookie. */
export const makeCurl =
  ({ React }, currentCaller) =>
  ({ request }) => {
    const h = React.createElement;
    const { url, method, headers = {}, body } = request.toJS();
    const command = curlOf({ url, method, headers, body });
    return h(
      'div',
      { className: 'curl-command' },
      h('h4', null, 'Curl'),
      command.includes('-b cookies.txt') &&
        h(
          'details',
          { className: 'curl-login' },
          h(
            'summary',
            null,
            'Log in once, with your password in place of …; the session is kept in ',
            h('code', null, 'cookies.txt'),
          ),
          h(Command, { React, className: 'login-command', text: loginCurl(currentCaller()?.email ?? '…') }),
        ),
      h(Command, { React, className: 'curl', text: command }),
    );
  };

function Command({ React, className, text }) {
  const h = React.createElement;
  const [isCopied, setCopied] = React.useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return h(
    'div',
    { className: 'command' },
    h('pre', { className }, text),
    // Browsers allow access to the clipboard only to pages of https and of this machine.
    navigator.clipboard &&
      h('button', { type: 'button', className: 'copy', onClick: copy }, isCopied ? 'Copied' : 'Copy'),
  );
}
