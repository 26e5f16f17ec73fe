import { Index } from 'typeorm';
import { BooleanField, EnumField, OwnerField } from '../../src/fields/fields.js';
import { StoredRecord } from '../../src/fields/record.js';
import { RecordEntity } from '../../src/fields/record-entity.js';
import { Device } from '../../src/network/device/device.entity.js';
import { pathOf, resources } from '../support/resources.js';
import { contractRows } from './contract-rows.js';
import { derivedRow } from './derived-row.js';
import type { Row } from './row.js';

/** Values that a service sets and no entity declares. */
const SET_BY_SERVICES = new Set(['slug', 'family', 'source']);

const kept = (values: Record<string, unknown> = {}): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !SET_BY_SERVICES.has(name)));

const targets = ({ required, optional }: Row): Record<string, unknown> =>
  Object.fromEntries(Object.entries({ ...required, ...optional }).filter(([, value]) => String(value).startsWith('→')));

const derivable = resources.flatMap((resource) => {
  const row = contractRows.find(({ path }) => path === pathOf(resource));
  return row && row.path !== '/api/purchase-orders' ? [[row.path, row, derivedRow(resource)] as const] : [];
});

it('a row can be derived for every resource of the contract except profiles and purchase orders', () => {
  expect(derivable).toHaveLength(contractRows.length - 2);
});

// Resources that the contract does not know are tested with derived rows only.
it.each(derivable)('the row of %s that is derived from its entity is that of the contract', (_, row, derived) => {
  const { path, area, elsewhere = [], ruled = [] } = row;
  const declared = Object.keys(row.required).filter((name) => !ruled.includes(name));
  expect([derived.path, derived.area]).toEqual([path, area]);
  expect(Object.keys(derived.required).toSorted()).toEqual(declared.toSorted());
  expect(Object.keys(derived.optional).toSorted()).toEqual(
    [...Object.keys(row.optional), ...elsewhere, ...ruled].toSorted(),
  );
  expect(kept(derived.defaults)).toEqual(kept(row.defaults));
  expect(Object.keys(kept(derived.shown)).toSorted()).toEqual(
    Object.keys(kept(row.shown))
      .filter((name) => !elsewhere.includes(name))
      .toSorted(),
  );
  expect(derived.unsortable).toEqual(row.unsortable ?? []);
  // A reference that never changes may be to one of several resources.
  const changeable = Object.entries(targets(row)).filter(([name]) => !row.fixed?.includes(name));
  expect(targets(derived)).toMatchObject(Object.fromEntries(changeable));
});

const defaults = derivable.flatMap(([path, , row]) =>
  Object.entries(row.defaults!).flatMap(([field, value]) =>
    SET_BY_SERVICES.has(field) ? [] : [[path, field, value, row.optional[field]] as const],
  ),
);

it.each(defaults)('the derived row of %s has a value of %s that is not the default', (_, _field, value, other) => {
  expect([typeof other, other]).not.toEqual([typeof other, value]);
});

it('a part of which there are few has other values for another one', () => {
  @RecordEntity('few_ends', { area: 'network' })
  @Index(['deviceId', 'side', 'isSpare'], { unique: true })
  class FewEnd extends StoredRecord {
    @OwnerField(() => Device, 'Device', { indexed: false }) deviceId!: string;
    @EnumField('Side', 'FewSide', ['a', 'z'], { required: true }) side!: string;
    @BooleanField('Whether it is a spare', { default: false }) isSpare!: boolean;
  }
  const ports = resources.find(({ path }) => path === 'api/devices/:id/ports')!;
  const { few, required, optional, another } = derivedRow({ ...ports, record: FewEnd });
  expect([few, required, optional]).toEqual([true, { side: 'a' }, { isSpare: true }]);
  expect(another).toEqual({ side: 'z', isSpare: false });
  expect(derivedRow(ports)).toMatchObject({ few: false, another: {} });
});

it('a resource with parts needs a row of its own', () => {
  const orders = resources.find(({ path }) => path === 'api/purchase-orders')!;
  expect(() => derivedRow(orders)).toThrow('PurchaseOrder.items needs a row in contract-rows.ts');
});
