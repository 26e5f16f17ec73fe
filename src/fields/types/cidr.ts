import { isIP } from 'node:net';

/** Address and prefix length of `10.0.0.1/24` or `2001:db8::1/64`; undefined for any other text. */
export function parseAddress(value: string): { family: 4 | 6; host: string; prefix: number } | undefined {
  const slash = value.indexOf('/');
  const host = value.slice(0, slash);
  const prefix = value.slice(slash + 1);
  const family = slash > 0 && /^(?:0|[1-9]\d{0,2})$/.test(prefix) ? isIP(host) : 0;
  // isIP accepts zones such as fe80::1%eth0, which have a meaning on one host only.
  if (family === 0 || host.includes('%') || Number(prefix) > (family === 4 ? 32 : 128)) return undefined;
  return { family: family as 4 | 6, host, prefix: Number(prefix) };
}
