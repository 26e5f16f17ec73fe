/* The vendors to call about the systems of an incident, each once. */

import { get, useAnswer } from '../api.js';
import { collectionOf, may } from '../model.js';
import { Line } from '../parts.js';
import { termsOf, VendorOf } from '../responsibility/whom-to-call.js';
import type { components } from '../../../../sdk/typescript/schema.js';

type Schemas = components['schemas'];
type Named = Schemas['NamedRecord'];
type Step = Schemas['VendorStep'];

/** The number of systems whose vendors are asked for. */
const MOST = 12;

const pathOf = ({ resource, id }: Named): string[] => {
  const collection = collectionOf(resource);
  const call = collection?.operations.find(({ path }) => path === `${collection.record}/call`);
  return call && may(call) ? [`${collection!.path}/${id}/call`] : [];
};

export function Vendors({ targets }: Pick<Schemas['Card'], 'targets'>) {
  const paths = targets.slice(0, MOST).flatMap(pathOf);
  const loaded = useAnswer(paths.length > 0 ? paths.join(' ') : undefined, async (all, signal) => {
    const answers = await Promise.all(all.split(' ').map((path) => get(path, signal)));
    return { ...answers[0]!, data: answers.flatMap(({ data }) => (data as Schemas['Call']).steps) };
  });
  const steps = ((loaded.answer?.data ?? []) as Step[]).filter(({ step, vendor }) => step === 'vendor' && vendor);
  const found = new Map(steps.map((one) => [[one.vendor!.id, ...termsOf(one)].join(' '), one]));
  return (
    <>
      {[...found].map(([key, one]) => (
        <Line key={key} main={<VendorOf {...one} />} note={['Vendor', ...termsOf(one)].filter(Boolean).join(' · ')} />
      ))}
    </>
  );
}
