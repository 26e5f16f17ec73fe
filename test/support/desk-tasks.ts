import { form, heading, itTakes, pick, said, use, useHand } from './doing.js';
import type { Hand } from './hands.js';
import { admin, opened } from './page.js';

/* The tasks of the asset desk, with the number of clicks that they take at most. */

/** These tasks, each of them done with a hand. */
export function doDeskTasks(given: Hand): void {
  useHand(given);

  describe('somebody who leaves', () => {
    const leaver = async (fullName: string) => {
      const { id } = await admin.make('/api/people', { fullName });
      const asset = await admin.make('/api/assets', { name: `Laptop of ${fullName}` });
      await admin.post(`/api/assets/${asset.id}/assign`, { personId: id });
      const licence = await admin.make('/api/software-licences', { name: `Suite of ${fullName}`, seats: 5 });
      await admin.make(`/api/software-licences/${licence.id}/seats`, { personId: id });
      await admin.make('/api/runbooks', { name: `Runbook of ${fullName}`, ownerId: id });
      return { id, assetId: asset.id, licenceId: licence.id };
    };
    let one: Awaited<ReturnType<typeof leaver>>;
    itTakes(
      'letting somebody leave, with a successor',
      3,
      async () => {
        one = await leaver('Lea Vaught');
        await admin.make('/api/people', { fullName: 'Suki Next' });
        return `/people/${one.id}`;
      },
      async () => {
        const { page } = opened;
        await use('link', 'Let them leave');
        await form(/^Let Lea Vaught leave/);
        const happening = page.getByRole('region', { name: 'What will happen' });
        for (const name of ['Laptop of Lea Vaught', 'Suite of Lea Vaught', 'Runbook of Lea Vaught'])
          await happening.getByText(name, { exact: true }).waitFor();
        expect(await happening.getByLabel('Take back the assets').isChecked()).toBe(true);
        await happening.getByText('Left empty').waitFor();
        await pick('Suki', 'Suki Next');
        await happening.getByText('Handed over').waitFor();
        await use('button', 'Let Lea Vaught leave');
        await said('Lea Vaught has left: 4 records changed');
        await heading('Lea Vaught');
        expect((await admin.get(`/api/people/${one.id}`)).body.data).toMatchObject({
          status: 'inactive',
          assetCount: 0,
        });
        expect((await admin.get(`/api/software-licences/${one.licenceId}/seats`)).body.total).toBe(0);
        const [runbook] = (await admin.get('/api/runbooks?name=Runbook of Lea Vaught&expand=owner')).body.data;
        expect(runbook.owner.name).toBe('Suki Next');
      },
    );
  });
}
