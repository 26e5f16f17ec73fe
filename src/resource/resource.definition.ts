import type { Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import type { AccessRule } from '../access/access.js';
import type { RequestContext } from '../lists/request-context.js';
import type { Class, Concrete } from '../fields/field.js';
import type { StoredRecord } from '../fields/record.js';
import type { ActionReply } from '../http/replies.js';
import type { ExtraFilter } from '../lists/list-request.js';
import type { Options } from '../lists/parameters/query-options.js';
import type { DocumentedHeaders, OperationText } from '../openapi/operation.js';
import type { RecordStores } from '../records/record-store.js';
import type { Owner } from '../records/owner.js';
import type { ResourceService } from '../records/resource.service.js';
import type { FileBody, FileType } from './import/file-body.js';

/** The owner of a part, the field that refers to it, and the path parameter with its id. */
interface PartOf<F extends string = string> {
  record: Class;
  field: F;
  param: string;
}

/** A file that does not consist of rows: its parameters, its response, and how it is imported. */
export interface OtherFile<S> {
  type: FileType;
  options: Options;
  /** Its text in the document. */
  text: string;
  example: string;
  response: Class;
  import(service: S, ctx: RequestContext, file: FileBody, options: Record<string, unknown>): Promise<ActionReply>;
}

/** The default view of a list in the page. */
interface ListView {
  /** The most useful properties, in this order. */
  columns: readonly string[];
  /** Property that the list is sorted by, with `-` for descending order. */
  order: string;
  /** Titles of groups that a record and its form are divided into, with the properties of each. */
  groups?: Readonly<Record<string, readonly string[]>>;
  /**
   * What a record is known by: the properties that are shown below its name, and parts of which the first is shown, such as `ips`. Without it,
   * these are the first columns.
   */
  facts?: readonly string[];
}

/** The properties in which a resource differs from the others. */
export interface ResourceDefinition<T extends StoredRecord, S extends ResourceService<T>> {
  record: Class<T>;
  create: Concrete;
  update: Concrete;
  /** The response of creating, if it is more than the record. */
  created?: Class;
  /** The description of its tag. A part has the tag of its owner. */
  about?: string;
  /** Its list in the page for people, which otherwise shows the first properties in the order of creation. */
  view?: ListView;
  /** The service, if the resource has rules of its own: a `@RecordService`, or a base class that services of several records share. */
  service?: new (stores: RecordStores, ...others: never[]) => S;
  /** List filters that are more than a comparison with a column. */
  filters?: readonly ExtraFilter[];
  /** The record that this one is a part of. Its id is the `id` of the path. */
  owner?: PartOf<keyof T & string>;
  /** Whether this is the flat list of parts of all owners, which are reached through their owners too. The bodies name the owner. */
  flat?: true;
  /** The owner to whose parts the caller is restricted; undefined if the caller sees all records. */
  visible?: (ctx: RequestContext) => Owner | undefined;
  /** Access for reading and writing, if it does not follow from the record's area. */
  access?: { read: AccessRule; write: AccessRule };
  /** Another kind of file that its import accepts. */
  otherFile?: OtherFile<S>;
  /** Query parameters of creating, whose values the service receives. */
  createOptions?: Options;
  /** Query parameters of deleting, whose values the service receives. */
  deleteOptions?: Options;
  /** False if creating accepts no `Idempotency-Key`, because the body has a secret. */
  takesKeys?: boolean;
  /** False if a deleted record cannot be restored. Parts are restored with their owner. */
  restorable?: boolean;
  /** Whether creating and changing can be refused with 409, for example because a value must be unique; or which of the two can. */
  conflicts?: boolean | { create: true } | { update: true };
  /** Further statuses of a refused delete. */
  deleteErrors?: readonly number[];
  /** Headers that the response to a change may have. */
  updateHeaders?: DocumentedHeaders;
  /** What Swagger UI says about single operations, in addition to the pattern. */
  text?: { [operation in 'list' | 'create' | 'get' | 'update' | 'delete']?: OperationText };
}

/** Metadata key of the declaration of a controller. */
export const RESOURCE = Symbol('resource');

/** The declaration of a resource's controller. */
export interface DeclaredResource extends Pick<
  ResourceDefinition<StoredRecord, ResourceService>,
  'record' | 'create' | 'update' | 'view' | 'visible'
> {
  /** The service to provide the controller with. */
  service: Type;
  read: AccessRule;
  write: AccessRule;
  /** The record that this one is a part of. */
  owner?: PartOf;
  /** Whether its records also have paths below their owners, in another resource. */
  flat: boolean;
  conflicts: boolean;
}

/** The same, with the path of its records: `api/devices`, or `api/devices/:id/ports` for parts of another record. */
export interface ControlledResource extends DeclaredResource {
  path: string;
}

/** The resource of a controller; undefined for a controller of another kind. */
export function controlledBy(controller: object): ControlledResource | undefined {
  const { [RESOURCE]: declared } = controller as { [RESOURCE]?: DeclaredResource };
  return declared && { ...declared, path: Reflect.getMetadata(PATH_METADATA, controller) as string };
}
