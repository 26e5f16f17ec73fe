import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/access.js';
import type { RequestContext } from '../../../lists/request-context.js';
import { DomainError, Fault, invalid, joined, NotFound, ValidationFailed } from '../../../http/errors.js';
import { betweenTurns } from '../../../http/event-loop.js';
import { FairQueue } from '../../../http/fair-queue.js';
import { SvgReply } from '../../../http/svg.js';
import { codeOf, contentFault, type Code, type CodeKind } from './codes.js';
import { drawLabel, drawSheet, type Label } from './label.picture.js';
import { sql, type Sql } from '../../../database/sql.js';

export const CONTENTS = ['url', 'assetTag', 'serialNumber'] as const;
type LabelContent = (typeof CONTENTS)[number];

export interface LabelRequest {
  code: CodeKind;
  content: LabelContent;
  /** Address of the service. */
  address: string;
}

interface LabelledAsset {
  id: string;
  name: string;
  assetTag: string | null;
  serialNumber: string | null;
}

const readAssets = (ids: readonly string[]): Sql =>
  sql`SELECT id, name, asset_tag AS "assetTag", serial_number AS "serialNumber" FROM assets WHERE id = ANY(${ids})`;

/** Draws labels of assets. */
@Injectable()
export class LabelsService {
  /** @throws NotFound, ValidationFailed */
  async one({ db, caller }: RequestContext, id: string, request: LabelRequest): Promise<SvgReply> {
    const [asset] = await db.query<LabelledAsset>(readAssets([id]));
    if (!asset) throw new NotFound('Asset');
    const [label] = await labelsOf(caller, [asset], request);
    return new SvgReply(drawLabel(label!));
  }

  /** A sheet in the order of the ids. @throws DomainError not_found, ValidationFailed */
  async sheet({ db, caller }: RequestContext, ids: readonly string[], request: LabelRequest): Promise<SvgReply> {
    const found = await db.query<LabelledAsset>(readAssets(ids));
    const assets = new Map(found.map((asset) => [asset.id, asset]));
    const missing = ids.filter((id) => !assets.has(id));
    if (missing.length > 0) {
      const details = missing.map((id) => new Fault('id', `'${id}' does not name an existing asset`));
      throw new DomainError('not_found', joined(details.slice(0, 10).map(String)), { details });
    }
    const labels = await labelsOf(
      caller,
      ids.map((id) => assets.get(id)!),
      request,
    );
    return new SvgReply(await drawSheet(labels, betweenTurns()));
  }
}

/** @throws ValidationFailed with a fault for each asset that has no content, or content that the code cannot hold */
async function labelsOf(
  { profileId }: Caller,
  assets: readonly LabelledAsset[],
  { code, content, address }: LabelRequest,
): Promise<Label[]> {
  const contents = assets.map((asset) => (content === 'url' ? `${address}/api/assets/${asset.id}` : asset[content]));
  const faults = contents.flatMap((text, index) => {
    const fault = text ? contentFault(code, content, text) : new Fault(content, 'must be set to be drawn as a code');
    return fault ? [fault.with({ message: `of the asset ${assets[index]!.id} ${fault.message}` })] : [];
  });
  if (faults.length > 0) throw new ValidationFailed(faults);
  const labels: Label[] = [];
  for (const [index, { name, assetTag }] of assets.entries()) {
    labels.push({ name, assetTag, code: await queue.run(profileId, () => drawn(code, content, contents[index]!)) });
  }
  return labels;
}

/** Creating a code takes several milliseconds and blocks other requests. So there is one code per turn of the event loop. */
const queue = new FairQueue(1);

async function drawn(code: CodeKind, content: LabelContent, text: string): Promise<Code> {
  // The longest text of an asset fits into both codes; the address of the service may not.
  if (text.length > LONGEST) throw invalid(content, `must be at most ${LONGEST} characters long to be drawn as a code`);
  const made = await codeOf(code, text);
  await setImmediate();
  return made;
}

const LONGEST = 512;
