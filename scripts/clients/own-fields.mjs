// A service with fields of its own, one of each type, and the document that it has then.
import { ADMINISTRATOR } from './workshop.mjs';

const RESOURCES = ['sites', 'devices', 'device-ports', 'assets'];
const FIELDS = {
  note: { type: 'text', pattern: '^[A-Za-z ]*$', default: 'text' },
  seats: { type: 'integer', minimum: 1, maximum: 100 },
  price: { type: 'decimal', minimum: '0' },
  isOpen: { type: 'boolean' },
  day: { type: 'date' },
  at: { type: 'dateTime' },
  link: { type: 'url' },
  tier: { type: 'choice', choices: ['gold', 'silver'], label: 'Tier' },
  tags: { type: 'tags' },
  words: { type: 'tags', choices: ['core', 'edge'] },
  contact: { type: 'reference', target: 'people' },
};

/** Logs in and returns the session cookie. */
export async function logIn(url) {
  const body = JSON.stringify(ADMINISTRATOR);
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/api/auth/login`, { method: 'POST', headers, body });
  return answer.headers.get('set-cookie').split(';')[0];
}

/** Defines the fields. @returns the document of the installation */
export async function ownDocument(url, cookie) {
  for (const [key, settings] of Object.entries(FIELDS)) {
    const answer = await fetch(`${url}/api/custom-fields`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ key, resources: RESOURCES, ...settings }),
    });
    if (answer.status !== 201) throw new Error(`${key}: ${await answer.text()}`);
  }
  return documentAt(url, cookie);
}

/** The document of the installation, or the part of it that a query asks for. */
export async function documentAt(url, cookie, query = {}) {
  const answer = await fetch(`${url}/api/openapi.json?${new URLSearchParams(query)}`, { headers: { cookie } });
  if (answer.status !== 200) throw new Error(await answer.text());
  return answer.json();
}
