import type { CustomDefinition } from '../../fields/custom/definition.js';
import type { Served } from '../../http/static-response.js';
import type { ClosedField } from '../../transitions/closed-values.js';
import type { PublishedPart } from '../../openapi/document/published.js';
import type { Slimming } from '../../openapi/document/slim.js';

/** What depends on the fields that the installation has defined: its document, and the declarations of the page. */
export interface OwnTask {
  kind: 'document' | 'declarations';
  definitions: readonly CustomDefinition[];
  /** Whether the fields of records of operations are shown. */
  seesOperations: boolean;
  publicUrl?: string;
  /** The part of the document; all of it if absent. */
  slimming?: Slimming;
  /** The fields that transitions have closed. */
  closed?: readonly ClosedField[];
}

export interface PublishedTask extends PublishedPart {
  kind: 'published';
}

/** What a thread can make. */
export type DocumentTask = OwnTask | PublishedTask;

/** The result of a task, or the sentence of its failure. */
export interface Finished {
  id: number;
  served?: Served;
  failure?: string;
}
