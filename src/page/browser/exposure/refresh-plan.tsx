/* The refresh plan: devices without coverage, the end of their coverage, and their replacement cost. */

import { queryOf, useGet } from '../api.js';
import { CsvLink } from '../csv-link.js';
import { money, Nothing } from '../format.js';
import { Linked } from '../names.js';
import { Pages } from '../table.js';
import { Loaded, Title } from '../parts.js';
import { addressWith, changed, go } from '../route.js';
import type { components } from '../../../../sdk/typescript/schema.js';
import type { Values } from '../types.js';

type Group = components['schemas']['ExposureGroup'];

const PERIODS: Readonly<Record<string, string>> = { quarter: 'Quarter', month: 'Month', year: 'Year' };
/** The groupings within a period: the property of the record, its list, and its label. */
const DIVISIONS: Readonly<Record<string, { of: 'site' | 'deviceType' | 'manufacturer'; list: string; label: string }>> =
  {
    siteId: { of: 'site', list: 'sites', label: 'Site' },
    deviceTypeId: { of: 'deviceType', list: 'device-types', label: 'Device type' },
    manufacturerId: { of: 'manufacturer', list: 'manufacturers', label: 'Manufacturer' },
  };
const PAGE_SIZE = 50;

function Choice({
  label,
  name,
  value,
  options,
  set,
}: {
  label: string;
  name: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  set: (values: Values) => void;
}) {
  return (
    <label>
      {label}{' '}
      <select value={value} onChange={({ currentTarget }) => set({ page: undefined, [name]: currentTarget.value })}>
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

export function RefreshPlan({ query }: { query: URLSearchParams }) {
  const [period, by] = [query.get('period') ?? 'quarter', query.get('by') ?? ''];
  const division = DIVISIONS[by];
  const grouping = `lastCoveredOn:${period}`;
  const asked = { groupBy: [grouping, division && by].filter(Boolean).join(','), sum: 'amount' };
  const paged = { page: query.get('page'), pageSize: query.get('pageSize') ?? PAGE_SIZE };
  const groups = useGet(`/api/exposure/summary${queryOf({ ...asked, ...paged })}`);
  const set = (values: Values): void => go(addressWith('/pictures/refresh-plan', changed(query, values)));
  return (
    <>
      <Title text="Refresh plan">
        <span class="tools">
          <a href="#/exposure">The devices</a>
          <CsvLink address={`/api/exposure/summary${queryOf({ ...asked, format: 'csv' })}`}>CSV</CsvLink>
        </span>
      </Title>
      <p class="about">Devices without coverage, by the end of their coverage, and the price of replacing them.</p>
      <div class="bar">
        <Choice label="By" name="period" value={period} options={Object.entries(PERIODS)} set={set} />
        <Choice
          label="and"
          name="by"
          value={by}
          options={[
            ['', 'Nothing else'] as const,
            ...Object.entries(DIVISIONS).map(([one, { label }]) => [one, label] as const),
          ]}
          set={set}
        />
      </div>
      <div class="drawn" tabindex={0} role="region" aria-label="Picture of the refresh plan">
        <img src={`/api/exposure/summary${queryOf({ ...asked, format: 'svg' })}`} alt="What it costs, as bars" />
      </div>
      <Loaded from={groups}>
        {(answer) =>
          answer.total === 0 ? (
            <p class="empty">Every active device is covered.</p>
          ) : (
            <>
              <div class="scroll" tabindex={0} role="region" aria-label="Refresh plan">
                <table>
                  <thead>
                    <tr>
                      <th scope="col">{PERIODS[period]}</th>
                      {division && <th scope="col">{division.label}</th>}
                      <th scope="col" class="end">
                        Devices
                      </th>
                      <th scope="col" class="end">
                        To replace
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {(answer.data as Group[]).map((group, index) => {
                      const record = division && group[division.of];
                      return (
                        <tr key={index}>
                          <td>{(group as Record<string, unknown>)[grouping] ?? 'Never covered'}</td>
                          {division && (
                            <td>{record ? <Linked resource={division.list} {...record} /> : <Nothing />}</td>
                          )}
                          <td class="end number">{group.count}</td>
                          <td class="end number">
                            {group.sum?.amount ? money(group.sum.amount, group.currency) : 'Unknown'}
                          </td>
                        </tr>
                      );
                    })}
                  </tbody>
                </table>
              </div>
              <Pages answer={answer} set={set} />
            </>
          )
        }
      </Loaded>
    </>
  );
}
