import { EnumField } from '../../fields/fields.js';

/** How an interface carries VLANs. */
export const PortModeField = () =>
  EnumField(
    'How it carries VLANs: `access` one of them untagged, `tagged` some, `tagged-all` all of them; null if it is not known',
    'PortMode',
    ['access', 'tagged', 'tagged-all'],
  );
