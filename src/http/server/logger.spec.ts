import { loggedUrl } from './logger.js';

it.each([
  ['/api/sites', '/api/sites'],
  ['/api/sites?search=a&sort=name', '/api/sites?search=a&sort=name'],
  ['/api/sites?password=a&sort=name', '/api/sites?password=***&sort=name'],
  ['/api/sites?sort=name&licenceKey__ic=a=b', '/api/sites?sort=name&licenceKey__ic=***'],
  ['/api/sites?SESSION=a&access_token=b&x', '/api/sites?SESSION=***&access_token=***&x'],
  ['/api/sites?pass%77ord=a', '/api/sites?pass%77ord=***'],
  ['/api/sites?a=password', '/api/sites?a=password'],
  ['/api/sites?password', '/api/sites?password'],
  ['/api/auth/oidc/callback?code=a&state=b&iss=c', '/api/auth/oidc/callback?code=***&state=***&iss=c'],
  ['/api/sites?password=', '/api/sites?password=***'],
  ['/api/sites?b?password=a', '/api/sites?b?password=***'],
  [`/calendar/${'x'.repeat(43)}.ics`, '/calendar/***'],
  ['/calendar/x.ics?a=b&key=c', '/calendar/***?a=b&key=***'],
  ['/%63alendar/x.ics', '/calendar/***'],
  ['//CALENDAR//x', '/calendar/***'],
  ['http://any.host/calendar/x.ics', '/calendar/***'],
  ['/calendar', '/calendar'],
  [`/elsewhere/${'x'.repeat(43)}`, '/elsewhere/***'],
  ['/api/sites?', '/api/sites?'],
  ['/api/sites?&&=&%zz=a', '/api/sites?&&=&%zz=a'],
])('logs %s as %s', (url, logged) => expect(loggedUrl(url)).toBe(logged));

// A regular expression over the whole URL took seconds for these, and blocked all other requests.
it.each(['?key'.repeat(4000), `?${'key'.repeat(5000)}`, '?'.repeat(16_000), '&'.repeat(16_000), '?a&'.repeat(5000)])(
  'needs time proportional to the length of the URL: %.12s',
  (query) => {
    const started = process.cpuUsage().user;
    for (let i = 0; i < 20; i++) loggedUrl(`/api/sites?${query}`);
    // Microseconds of CPU time of this process. The quadratic version took millions.
    expect(process.cpuUsage().user - started).toBeLessThan(2_000_000);
  },
);
