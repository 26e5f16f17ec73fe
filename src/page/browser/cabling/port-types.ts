/* Types of ports in familiar terms: the connector and the speed. */

const FORMS: Readonly<Record<string, string>> = { SFPP: 'SFP+', QSFPP: 'QSFP+', QSFPDD: 'QSFP-DD' };

/** Those of patch panels and consoles. */
const CONNECTOR = /^(?:e2000|fc|lc|lsh|mpo|mu|sc|st|rj)(?:-(?:apc|pc|upc|\d+))?$/;

/** `SFP28 25GE` for `25gbase-x-sfp28`, `1000BASE-T` for `1000base-t`. Custom words stay the same. */
export function inWords(type: string): string {
  const [, speed, unit, form] = /^([\d.]+)(g?)base-x-([a-z\d]+)$/.exec(type) ?? [];
  if (form) {
    const name = form.toUpperCase();
    return `${FORMS[name] ?? name} ${unit ? speed : Number(speed) / 1000}GE`;
  }
  if (/^(?:[\d.]+g?base|iec|nema)-/.test(type)) return type.toUpperCase().replace('IEC-60320-', '');
  if (CONNECTOR.test(type)) return type.toUpperCase().replace('-', type.startsWith('rj') ? '' : '/');
  return { lag: 'Link aggregation', virtual: 'Virtual', bridge: 'Bridge', other: 'Other' }[type] ?? type;
}

/** `Cat6a`, `DAC`, `MMF-OM4` and `Coaxial` for types of cables. */
export const cableInWords = (type: string): string =>
  /^cat|^[a-z]{5}/.test(type) ? type.charAt(0).toUpperCase() + type.slice(1) : type.toUpperCase();
