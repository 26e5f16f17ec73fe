import { cableInWords, inWords } from './port-types.js';

it.each([
  ['25gbase-x-sfp28', 'SFP28 25GE'],
  ['10gbase-x-sfpp', 'SFP+ 10GE'],
  ['100gbase-x-qsfp28', 'QSFP28 100GE'],
  ['400gbase-x-qsfpdd', 'QSFP-DD 400GE'],
  ['1000base-x-sfp', 'SFP 1GE'],
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
])('a port of type %s is %s', (type, said) => {
  expect(inWords(type)).toBe(said);
});

it('a cable has the words of the trade', () => {
  expect(['cat6a', 'dac', 'mmf-om4', 'coaxial', 'power', 'usb'].map(cableInWords)).toEqual([
    'Cat6a',
    'DAC',
    'MMF-OM4',
    'Coaxial',
    'Power',
    'USB',
  ]);
});
