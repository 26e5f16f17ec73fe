import { labelOfValue } from './labels.js';

it.each([
  ['25gbase-x-sfp28', 'SFP28 (25GE)'],
  ['10gbase-x-sfpp', 'SFP+ (10GE)'],
  ['100gbase-x-qsfp28', 'QSFP28 (100GE)'],
  ['400gbase-x-qsfpdd', 'QSFP-DD (400GE)'],
  ['1000base-x-sfp', 'SFP (1GE)'],
  ['1000base-t', '1000BASE-T'],
  ['2.5gbase-t', '2.5GBASE-T'],
  ['iec-60320-c14', 'C14'],
  ['nema-5-15p', 'NEMA-5-15P'],
  ['lc-upc', 'LC/UPC'],
  ['mpo', 'MPO'],
  ['rj-45', 'RJ45'],
  ['lag', 'Link aggregation'],
  ['virtual', 'Virtual'],
  ['our own plug', 'our own plug'],
  ['cat6a', 'Cat6a'],
  ['dac', 'DAC'],
  ['mmf-om4', 'OM4'],
  ['sev2', 'Severity 2'],
  ['tagged-all', 'Tagged (all)'],
  ['in_progress', 'In progress'],
  ['front-to-rear', 'Front to rear'],
  ['NX-API', 'NX-API'],
  ['constructor', 'Constructor'],
])('%s is %s', (value, label) => {
  expect(labelOfValue(value)).toBe(label);
});
