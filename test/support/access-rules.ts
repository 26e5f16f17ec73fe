import { AREAS, ROLES, type Area, type Role } from '../../src/access/access.js';
import { rows } from '../resources/rows.js';
import { inFull } from './size.js';

/** The access rule of a route: the lowest role, the area, and whether tokens are refused. */
interface Asked {
  role: Role;
  area?: Area;
  session?: boolean;
}

/** The access rule of an operation by the contract, not by the code. @param path as in the document */
export function asked({ method, path }: { method: string; path: string }): Asked {
  const isRead = method === 'GET';
  if (/^\/api\/(?:tokens|calendar-feeds|auth)\b/.test(path)) return { role: 'viewer', session: !isRead };
  if (path.startsWith('/api/profiles')) return { role: 'admin', session: !isRead };
  if (path === '/api/change-log/undo') return { role: 'editor' };
  if (path.startsWith('/api/change-sets')) return { role: isRead || path.endsWith('/preview') ? 'viewer' : 'editor' };
  if (path.startsWith('/api/webhooks')) return { role: 'admin' };
  if (path.startsWith('/api/transitions')) return { role: isRead ? 'viewer' : 'admin' };
  if (path.startsWith('/api/custom-fields')) return { role: isRead ? 'viewer' : 'admin' };
  if (
    /^\/api\/(?:change-log|changes|outputs)/.test(path) ||
    ['/api/search', '/api/expirations', '/api/exposure', '/api/exposure/summary', '/api/utilisation'].includes(path)
  ) {
    return { role: 'viewer' };
  }
  // Requires it, although the request has a body.
  if (path === '/api/conflicts') return { role: 'viewer', area: 'operations' };
  if (/^\/api\/on-call(?:\/|$)/.test(path)) return { role: 'viewer', area: 'operations' };
  if (path.endsWith('/call')) return { role: 'viewer', area: 'operations' };
  const row = rows.find((candidate) => path.startsWith(candidate.path.split('/{')[0]!))!;
  const area = row.area as Area;
  if (isRead) return area === 'operations' ? { role: 'viewer', area } : { role: 'viewer' };
  return {
    role: /\/(?:receive|receive-stock)$|receipts\/.*\/reverse$/.test(path)
      ? 'manager'
      : path.endsWith('/restore')
        ? 'admin'
        : 'editor',
    area,
  };
}

interface Caller {
  role: Role;
  areas: readonly Area[];
}

/**
 * Whether a caller is at the border of an operation's access rule: the lowest that is allowed, the highest that are refused (all areas
 * with the role below, the highest role in another area), and administrators. In the full run, every caller.
 * @param other selects the other area
 */
export function isTelling({ role, areas }: Caller, { role: least, area }: Asked, other: number): boolean {
  if (inFull) return true;
  const others = AREAS.filter((one) => one !== area);
  const all = AREAS.join();
  const border: [Role | undefined, string][] = [
    [least, area ?? ''],
    [ROLES[ROLES.indexOf(least) - 1], all],
    [ROLES.at(-1), area ? others[other % others.length]! : ''],
    [ROLES.at(-1), all],
  ];
  return border.some(([bordering, among]) => role === bordering && areas.join() === among);
}
