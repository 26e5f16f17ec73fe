import { axeFindings } from '../support/axe.js';
import { itInBrowser } from '../support/browser.js';
import { admin, opened, usePage } from '../support/page.js';

/* The findings of axe in the views of the page, in both themes and at three widths. */
const views: Record<string, string> = {};
const WIDTHS = [390, 1440, 2560];

// The content security policy of the service refuses scripts from elsewhere.
usePage({ bypassCSP: true }, async () => {
  const site = await admin.make('/api/sites', { name: 'Harbour', status: 'active' });
  const rack = await admin.make('/api/racks', { name: 'H1', siteId: site.id, units: 8 });
  await admin.make('/api/devices', {
    name: 'core-1',
    siteId: site.id,
    rackId: rack.id,
    rackPosition: 2,
    status: 'active',
  });
  const prefix = await admin.make('/api/prefixes', { prefix: '10.70.0.0/24', siteId: site.id });
  const incident = await admin.make('/api/incidents', { name: 'It is slow', severity: 'sev2', status: 'open' });
  const person = await admin.make('/api/people', { fullName: 'Ada Lovelace' });
  const [startTime, endTime] = [-1, 30].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
  await admin.make('/api/on-call-schedules', { name: 'Primary', personId: person.id, startTime, endTime });
  await admin.make('/api/assets', { name: 'Printer', warrantyUntil: endTime!.slice(0, 10) });
  const window = await admin.make('/api/maintenance-windows', { name: 'Patches', startTime, endTime });
  const change = await admin.make('/api/change-requests', { name: 'New firmware', status: 'submitted', risk: 'high' });
  Object.assign(views, {
    today: '',
    list: '/devices',
    'a list without rows': '/vlans',
    'a site': `/sites/${site.id}`,
    'a rack': `/racks/${rack.id}`,
    'a prefix': `/prefixes/${prefix.id}`,
    'an incident': `/incidents/${incident.id}`,
    'a change': `/change-requests/${change.id}`,
    'a card': `/change-requests/${change.id}?tab=card`,
    exposure: '/exposure',
    'the refresh plan': '/pictures/refresh-plan',
    'a form': `/sites/${site.id}/edit`,
    'the form of an order': '/purchase-orders/new',
    'a rotation': '/on-call-schedules/do/rotateOnCallSchedules',
    'an allocation': `/prefixes/${prefix.id}/do/allocateIps`,
    history: `/sites/${site.id}?tab=history`,
    account: '/account',
    'results of a search': '/search?q=harbour',
    'the timeline': '/pictures/on-call',
    'the year': '/pictures/expirations',
    'racks side by side': '/pictures/racks',
    'the tree of prefixes': '/pictures/prefixes',
    'a window': `/maintenance-windows/${window.id}`,
  });
});

itInBrowser.each(['light', 'dark'] as const)(
  'axe has no finding in the %s theme',
  async (colorScheme) => {
    await opened.page.emulateMedia({ colorScheme });
    for (const [name, address] of Object.entries(views)) {
      await opened.show(address);
      await opened.page.waitForLoadState('networkidle');
      for (const width of WIDTHS) {
        await opened.page.setViewportSize({ width, height: 900 });
        expect([name, width, await axeFindings(opened.page)]).toEqual([name, width, []]);
      }
    }
  },
  480_000,
);
