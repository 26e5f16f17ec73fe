import type { Area, Role } from '../../src/access/access.js';
import { rows } from '../resources/rows.js';

/** What a route asks of its caller: the least role, the area, and whether tokens are refused. */
export interface Asked {
  role: Role;
  area?: Area;
  session?: boolean;
}

/** What an operation asks, by the contract and not by the code. @param path as the document has it */
export function asked({ method, path }: { method: string; path: string }): Asked {
  const isRead = method === 'GET';
  if (/^\/api\/(?:tokens|calendar-feeds|auth)\b/.test(path)) return { role: 'viewer', session: !isRead };
  if (path.startsWith('/api/profiles')) return { role: 'admin', session: !isRead };
  if (path.startsWith('/api/webhooks')) return { role: 'admin' };
  if (
    /^\/api\/(?:change-log|changes|outputs)/.test(path) ||
    ['/api/search', '/api/expirations', '/api/utilisation'].includes(path)
  ) {
    return { role: 'viewer' };
  }
  // It asks, although it does so with a body.
  if (path === '/api/conflicts') return { role: 'viewer', area: 'operations' };
  if (/^\/api\/on-call(?:\/|$)/.test(path)) return { role: 'viewer', area: 'operations' };
  const row = rows.find((candidate) => path.startsWith(candidate.path.split('/{')[0]!))!;
  const area = row.area as Area;
  if (isRead) return area === 'operations' ? { role: 'viewer', area } : { role: 'viewer' };
  return {
    role: /\/(?:receive|reverse)$/.test(path) ? 'manager' : path.endsWith('/restore') ? 'admin' : 'editor',
    area,
  };
}
