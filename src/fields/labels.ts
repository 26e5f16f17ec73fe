/* The labels of enumerated values, actions and results. */

/** Those that the words of the value do not give. */
const LABELS: Readonly<Record<string, string>> = {
  ac: 'AC',
  'ai-fabric': 'AI fabric',
  aoc: 'AOC',
  around_target: 'Work on what contains a system',
  bridge: 'Bridge',
  carp: 'CARP',
  code128: 'Code 128',
  dac: 'DAC',
  dateTime: 'Date and time',
  dc: 'DC',
  dci: 'Data centre interconnect',
  dhcp: 'DHCP',
  eAPI: 'eAPI',
  eol: 'End of life',
  eos: 'End of support',
  glbp: 'GLBP',
  gNMI: 'gNMI',
  gRPC: 'gRPC',
  hsrp: 'HSRP',
  inside_target: 'Work on a part of a system',
  lag: 'Link aggregation',
  mgmt: 'Management',
  mmf: 'Multi-mode fibre',
  'mmf-om3': 'OM3',
  'mmf-om4': 'OM4',
  mpls: 'MPLS',
  on_call_gap: 'Nobody on call',
  qr: 'QR code',
  same_target: 'Work on the same system',
  sev1: 'Severity 1',
  sev2: 'Severity 2',
  sev3: 'Severity 3',
  sev4: 'Severity 4',
  sev5: 'Severity 5',
  single: 'Single-phase',
  sla: 'SLA',
  slaac: 'SLAAC',
  smf: 'Single-mode fibre',
  'smf-os2': 'OS2',
  'sp-core': 'Provider core',
  'sp-edge': 'Provider edge',
  'tagged-all': 'Tagged (all)',
  three: 'Three-phase',
  url: 'URL',
  usb: 'USB',
  vip: 'VIP',
  vlan: 'VLAN',
  vrf: 'VRF',
  vrrp: 'VRRP',
  wont_fix: "Won't fix",
};

const FORMS: Readonly<Record<string, string>> = { SFPP: 'SFP+', QSFPP: 'QSFP+', QSFPDD: 'QSFP-DD' };

/** Connectors of patch panels and consoles. */
const CONNECTOR = /^(?:e2000|fc|lc|lsh|mpo|mu|sc|st|rj)(?:-(?:apc|pc|upc|\d+))?$/;

/** The connector and speed of a port: `SFP28 (25GE)` for `25gbase-x-sfp28`. */
function portLabel(type: string): string | undefined {
  const [, speed, unit, form] = /^([\d.]+)(g?)base-x-([a-z\d]+)$/.exec(type) ?? [];
  if (form) {
    const name = form.toUpperCase();
    return `${FORMS[name] ?? name} (${unit ? speed : Number(speed) / 1000}GE)`;
  }
  if (/^(?:[\d.]+g?base|iec|nema)-/.test(type)) return type.toUpperCase().replace('IEC-60320-', '');
  if (CONNECTOR.test(type)) return type.toUpperCase().replace('-', type.startsWith('rj') ? '' : '/');
  return undefined;
}

/** A value in words: `Severity 2`, `Tagged (all)`, `In progress`. Capital letters of a word that somebody has chosen stay. */
export const labelOfValue = (value: string): string =>
  (Object.hasOwn(LABELS, value) ? LABELS[value] : undefined) ??
  portLabel(value) ??
  (/^[a-z\d]+(?:[_-][a-z\d]+)*$/.test(value)
    ? value.charAt(0).toUpperCase() + value.slice(1).replaceAll(/[_-]/g, ' ')
    : value.replaceAll('_', ' '));

/** What happened to a record, by the action. */
export const DONE: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'changed',
  delete: 'deleted',
  restore: 'restored',
};
