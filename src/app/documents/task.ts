import type { CustomDefinition } from '../../fields/custom/definition.js';
import type { Served } from '../../http/static-response.js';
import type { ClosedField } from '../../transitions/closed-values.js';
import type { PublishedPart } from '../../openapi/document/published.js';
import type { Slimming } from '../../openapi/document/slim.js';

/** JSON that depends on the custom fields: the document of an installation, and the declarations of the page. */
export interface OwnTask {
  kind: 'document' | 'declarations';
  definitions: readonly CustomDefinition[];
  /** Whether fields of operations records are shown. */
  seesOperations: boolean;
  publicUrl?: string;
  /** The part of the document; all of it if absent. */
  slimming?: Slimming;
  /** The fields with closed values because of transitions. */
  closed?: readonly ClosedField[];
}

export interface PublishedTask extends PublishedPart {
  kind: 'published';
}

/** The tasks of the thread. */
export type DocumentTask = OwnTask | PublishedTask;

/** The result of a task, or its error message. */
export interface Finished {
  id: number;
  served?: Served;
  failure?: string;
}
