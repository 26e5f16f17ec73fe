/* What a record is known by: the line below its name. */

import type { ComponentChildren } from 'preact';
import type { Collection, Field, Row } from './types.js';
import { useGet } from './api.js';
import { Copy } from './copying.js';
import { Ago, isWord, Value } from './format.js';
import { below, calledBy, fieldsOf, fill, isBlank, labelOf, lower, nameOf, namingOf, partLabel } from './model.js';

/** Of a list whose facts are not declared, its first columns. */
const MOST_FACTS = 5;
/** A longer text is no fact, and is among the fields. */
const LONG = 60;

const isFact = ({ name, type, of }: Field, record: Row): boolean =>
  !isBlank(record[name]) && !of && type !== 'array' && String(record[name]).length <= LONG;

/** The fields in the line below the name. */
export function factsOf(collection: Collection, record: Row): Field[] {
  const { facts, columns = [] } = collection;
  const naming = namingOf(collection);
  const names = facts ?? columns.filter((name) => name !== naming && name !== 'status').slice(0, MOST_FACTS);
  const fields = fieldsOf(collection.type);
  // Of the name of another record, the reference to it is the fact, because it is a link.
  const factOf = (name: string): Field | undefined =>
    fields.find((field) => calledBy(field) === name) ?? fields.find((field) => field.name === name);
  return names.flatMap((name) => factOf(name) ?? []).filter((field) => isFact(field, record));
}

/** A text of its own, which somebody may want to have elsewhere, such as a serial number. */
const isCopied = (field: Field): boolean =>
  field.type === 'string' && !field.format && !field.references && !field.decimal && !isWord(field);

const Fact = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);

/** The first of the records of a part, such as the address of a device. */
function FirstOf({ path, list, name }: { path: string; list: Collection; name: string }) {
  const { answer, error } = useGet(`${fill(list.path, path)}?pageSize=1`);
  const [first] = (answer?.data ?? []) as Row[];
  if (error || (answer && !first)) return null;
  const text = first && nameOf(list, first);
  return (
    <Fact label={answer?.total === 1 ? partLabel(name).replace(/e?s$/, '') : partLabel(name)}>
      {text ? (
        <>
          <bdi>{text}</bdi>
          <Copy text={text} label={text} />
          {answer!.total > 1 && <a href={`#${path.slice(4)}?tab=${name}`}>and {answer!.total - 1} more</a>}
        </>
      ) : (
        '…'
      )}
    </Fact>
  );
}

export function Facts({ path, collection, record }: { path: string; collection: Collection; record: Row }) {
  const { createdAt, updatedAt } = record;
  const names = collection.facts ?? [];
  const parts = below(collection).parts.flatMap((list) => {
    const name = list.path.split('/').at(-1)!;
    return names.includes(name) ? [{ list, name }] : [];
  });
  return (
    <>
      <dl class="facts">
        {factsOf(collection, record).map((field) => (
          <Fact key={field.name} label={labelOf(field)}>
            <Value field={field} record={record} />
            {isCopied(field) && <Copy text={String(record[field.name])} label={lower(labelOf(field))} />}
          </Fact>
        ))}
        {parts.map((part) => (
          <FirstOf key={part.name} {...part} path={path} />
        ))}
      </dl>
      {updatedAt && updatedAt !== createdAt && (
        <span>
          Changed <Ago value={updatedAt} />
        </span>
      )}
      {createdAt && (
        <span>
          Created <Ago value={createdAt} />
        </span>
      )}
    </>
  );
}
