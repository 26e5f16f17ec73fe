/* What the modules of the page hand to each other. */

import type { FunctionComponent } from 'preact';
import type { PageCollection, PageOperation } from '../declarations.js';
import type { PageField } from '../types.js';

export type { PageDeclarations } from '../declarations.js';

/** A list of the API, an operation, and a property, as `/page/declarations.json` has them. */
export type Collection = PageCollection;
export type Operation = PageOperation;
/** Of a property in a record that nobody declared, only the name is known. */
export type Field = Partial<PageField> & {
  name: string;
  /** What people read instead of values, and what an empty input shows. */
  words?: Readonly<Record<string, string>>;
  hint?: string;
  /** Of a list: each value is a chip, whatever their number. */
  chips?: true;
  /** An input of its own. */
  input?: FunctionComponent<InputProps>;
};

/** A record of any resource. What single resources have is typed by the schema of the SDK. */
export interface Row {
  id: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- generic views know the fields by their declarations only
  [property: string]: any;
}

/** Values of a form or of a body, by their properties. */
// oxlint-disable-next-line typescript/no-explicit-any -- as of a record
export type Values = Record<string, any>;

/** The lists of a record by the properties that refer to one of their entries: its `items` for `itemId`. */
export type Parts = Record<string, Row[]>;

export interface FieldFault {
  field: string;
  message: string;
}

/** Records that contradict a change: their number, and the first of them. */
export interface Against {
  count: number;
  records: { resource: string; id: string; name: string | null }[];
}

/** Why a request was refused. */
export interface Fault {
  message: string;
  status?: number;
  details?: FieldFault[];
  against?: Against;
}

/** A response of the API with what its headers say. */
export interface Answer {
  // oxlint-disable-next-line typescript/no-explicit-any -- a record, a list of records, or a value of its own
  data: any;
  etag?: string;
  /** The request, as the change log names it. */
  requestId?: string;
  /** Other records that a change affects. */
  related: { path: string; title: string }[];
  /** The following are of lists. */
  total: number;
  page: number;
  pageSize: number;
  hasMore: boolean;
}

/** An answer that is awaited. */
export interface Loadable {
  answer?: Answer;
  error?: Fault;
  /** Whether the answer is that of a former path. */
  isOld?: boolean;
  reload: () => void;
}

/** A place that leads to the view: its name, and its address if it has one. */
export type Crumb = [label: string, address?: string];

/** Attributes that every input of a form has. */
export interface Common {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': 'true' | undefined;
}

/** Properties of an input that a form has for one of its fields. */
export interface InputProps {
  field: Field;
  // oxlint-disable-next-line typescript/no-explicit-any -- as of a record
  value: any;
  set: (value: unknown) => void;
  common: Common;
  /** The other values of the form. */
  record: Values;
}

/** Properties of what stands beside a form on wide screens. */
export interface BesideFormProps {
  /** The values of the form. */
  values: Row;
  /** Changes some of them. */
  set: (values: Values) => void;
}

/** Properties of the panels of a record. */
export interface PanelProps {
  /** Path of the record in the API. */
  path: string;
  collection: Collection;
  record: Row;
  /** Whether it is the tab of a part, which shows all of it. */
  isWhole?: boolean;
}

/** Properties of the views of actions. */
export interface TaskProps {
  /** Path of the record, or of the list, in the API. */
  path: string;
  collection: Collection;
  /** The record; empty for an action of a list. */
  record: Row;
  /** Values that the address gives. */
  query: URLSearchParams;
}

/** Properties of the views of what can be done with the ticked rows of a list. */
export interface SelectionProps {
  collection: Collection;
  /** The ticked rows, in the order of the list. */
  rows: readonly Row[];
  /** Unticks all. */
  clear: () => void;
}

/** How a form depends on the values that are filled in. */
export interface Shape {
  /** The fields that are asked for. */
  fields: (all: Field[], values: Values) => Field[];
  /** What is sent. @param body the values of these fields @param values all that was filled in */
  body: (body: Values, values: Values) => Values;
}
