import { articleOf, wordsOf } from './words.js';

it.each([
  ['Incident', 'an incident'],
  ['Device', 'a device'],
  ['AssetCategory', 'an asset category'],
  ['KnownIssue', 'a known issue'],
  ['User', 'a user'],
  ['Unit', 'a unit'],
  ['UnknownHost', 'an unknown host'],
])('a record of %s is %s', (name, words) => expect(`${articleOf(wordsOf(name))} ${wordsOf(name)}`).toBe(words));
