import { pluralLabelOf, withArticle } from '../fields/record-entity.js';
import { declaredSqlOf, tableOf } from '../lists/record-sql.js';
import { records } from './entities.js';

const labels = new Map(
  records.map((record) => [
    record.name,
    [withArticle(record), pluralLabelOf(record, tableOf(record)), declaredSqlOf(record).label],
  ]),
);

it.each([
  ['IpAddress', 'an IP address', 'IP addresses', 'IP address'],
  ['Sla', 'an SLA', 'SLAs', 'SLA'],
  ['Vrf', 'a VRF', 'VRFs', 'VRF'],
  ['OnCallSchedule', 'an on-call schedule', 'on-call schedules', 'On-call schedule'],
  ['DeviceTypeModule', 'a device type module', 'device type modules', 'Device type module'],
])('a record of %s is %s, several are %s', (name, ...expected) => expect(labels.get(name)).toEqual(expected));
