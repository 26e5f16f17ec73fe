import { Fault } from '../../../http/errors.js';

/** The data of an asset that may prevent the reversal of its receipt. */
export interface ReceivedAsset {
  id: string;
  name: string;
  /** Name of the person who has it. */
  holder: string | null;
  /** Name of a device that refers to it. */
  device: string | null;
}

/**
 * A fault for each reason not to delete an asset of a receipt.
 * @param ids of the receipt's assets
 * @param assets those of them that still exist
 */
export function obstacles(ids: readonly string[], assets: readonly ReceivedAsset[]): Fault[] {
  const found = new Map(assets.map((asset) => [asset.id, asset]));
  return ids.flatMap((id) => {
    const asset = found.get(id);
    if (!asset) return [new Fault(`asset ${id}`, 'was deleted')];
    const { name, holder, device } = asset;
    const which = `asset ${id}`;
    return [
      ...(holder === null ? [] : [new Fault(which, `(${name}) is handed out to ${holder}`)]),
      ...(device === null ? [] : [new Fault(which, `(${name}) belongs to the device ${device}`)]),
    ];
  });
}
