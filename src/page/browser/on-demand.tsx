/* Views whose modules are loaded when they are shown for the first time. */

import type { FunctionComponent, RenderableProps } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Failure, Loading } from './parts.js';
import type { Fault } from './types.js';

/** @param read imports the module, and returns its view */
export function onDemand<Props extends object>(
  read: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  let found: FunctionComponent<Props> | undefined;
  return function OnDemand(props: RenderableProps<Props>) {
    const [, setTurn] = useState(0);
    const [error, setError] = useState<Fault>();
    const View = found;
    useEffect(() => {
      // Checked when drawn: another view may have loaded the module in the meantime.
      if (View) return;
      read().then(
        (view) => {
          found = view;
          setTurn((one) => one + 1);
        },
        () => setError({ message: 'This view cannot be read. The service is away, or has a new version' }),
      );
    }, []);
    if (View) return <View {...props} />;
    // A browser caches a failed module import until the page is reloaded.
    return error ? <Failure error={error} retry={() => location.reload()} /> : <Loading />;
  };
}
