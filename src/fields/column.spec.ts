import { ReferenceField } from './fields.js';
import { StoredRecord } from './record.js';

class Site extends StoredRecord {}

it('refuses a required reference, which could not become null when its record is deleted', () =>
  expect(() => {
    class Feed extends StoredRecord {
      @ReferenceField(() => Site, 'Site', { required: true }) siteId!: string;
    }
    return Feed;
  }).toThrow('Feed.siteId cannot be required'));
