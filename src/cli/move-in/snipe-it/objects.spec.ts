import { Spool } from '../spool.js';
import { SnipeObjects } from './objects.js';
import type { Raw } from './raw.js';
import { itInFull } from '../../../../test/support/size.js';

itInFull(
  'numbers entries with the same name, however many there are',
  async () => {
    const spool = await Spool.create();
    try {
      const names = [...Array.from({ length: 20_000 }, () => 'Laptop'), 'Laptop#20001', 'Laptop'];
      const raws = async function* (): AsyncGenerator<Raw> {
        for (const [index, name] of names.entries())
          yield {
            kind: 'maintenances',
            list: 'all',
            at: `row ${index + 1}`,
            fields: { name },
            custom: {},
            changes: [],
          };
      };
      await SnipeObjects.read(raws(), spool);
      const keys: string[] = [];
      let last: string | undefined;
      for await (const { pk, fields } of spool.read('maintenances')) {
        keys.push(pk);
        last = fields._fault as string;
      }
      expect(new Set(keys).size).toBe(20_002);
      expect([keys[1], keys.at(-2), keys.at(-1)]).toEqual(['Laptop#2', 'Laptop#20001', 'Laptop#20002']);
      expect(last).toBe("'Laptop' stands twice: row 20002 and row 1");
    } finally {
      await spool.remove();
    }
  },
  120_000,
);
