import 'reflect-metadata';
import { Entity } from 'typeorm';
import type { Area } from '../access/access.js';
import type { Class } from './field.js';
import { wordsOf } from './words.js';

/** What a record class says of itself, besides its fields. */
export interface RecordDescription {
  /** Area that gates writing, and for operations reading too; null where a role alone does. */
  area: Area | null;
  /** False: its changes leave no entries in the change log. */
  logged?: false;
  /** Columns that are no fields and whose values the change log must not hold. */
  withheld?: readonly string[];
  /** The record in words, as within a sentence: `IP address`. Its class name in words where it is absent. */
  label?: string;
  /** The same for several of them. */
  plural?: string;
}

const DESCRIPTION = Symbol('record description');

/** An entity that is a record: it is stored in `table`, which names its resource too. */
export function RecordEntity(table: string, description: RecordDescription): ClassDecorator {
  return (target) => {
    Entity(table)(target);
    Reflect.defineMetadata(DESCRIPTION, description, target);
  };
}

/** What a record, or the record that it extends, says of itself. */
function descriptionOf(record: Class): RecordDescription {
  const description = Reflect.getMetadata(DESCRIPTION, record) as RecordDescription | undefined;
  if (!description) throw new Error(`${record.name} is not declared with @RecordEntity`);
  return description;
}

/** Area of a record. */
export const areaOf = (record: Class): Area | null => descriptionOf(record).area;

/** Whether changes of a record leave entries in the change log. */
export const isLogged = (record: Class): boolean => descriptionOf(record).logged !== false;

/** Columns of a record that are no fields and whose values the change log must not hold. */
export const withheldOf = (record: Class): readonly string[] => descriptionOf(record).withheld ?? [];

/** A record in words: `on-call schedule`, `IP address`. */
export const labelOf = (record: Class): string => descriptionOf(record).label ?? wordsOf(record.name);

/** Several records in words: `on-call schedules`, `IP addresses`. */
export const pluralLabelOf = (record: Class, table: string): string => descriptionOf(record).plural ?? wordsOf(table);
