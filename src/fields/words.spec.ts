import { withArticle, wordsOf } from './words.js';

it.each([
  ['Incident', 'an incident'],
  ['IpAddress', 'an IP address'],
  ['Sla', 'an SLA'],
  ['OnCallSchedule', 'an on-call schedule'],
  ['Vrf', 'a VRF'],
  ['Device', 'a device'],
  ['AssetCategory', 'an asset category'],
  ['KnownIssue', 'a known issue'],
  ['User', 'a user'],
  ['Unit', 'a unit'],
  ['UnknownHost', 'an unknown host'],
])('a record of %s is %s', (name, words) => expect(withArticle(wordsOf(name))).toBe(words));
