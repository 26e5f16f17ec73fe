/* What the forms of some actions begin with, where the record tells it. The fields themselves come from the declarations. */

const DAY = 86_400_000;
/** Units of one item that a form begins with. */
const MOST_UNITS = 20;

export const PREPARED = {
  receivePurchaseOrder: ({ items }) => ({
    items: items
      .filter(({ quantityRemaining }) => quantityRemaining > 0)
      .map(({ id, quantityRemaining }) => {
        const quantity = Math.min(quantityRemaining, MOST_UNITS);
        // One entry for each unit, in which its serial number may be filled in.
        return { itemId: id, quantity, assets: Array.from({ length: quantity }, () => ({})) };
      }),
  }),
  coverOnCallSchedule: ({ startTime, endTime }) => {
    const from = Math.max(Date.now(), startTime ? Date.parse(startTime) : 0);
    const to = Math.min(from + DAY, endTime ? Date.parse(endTime) : Infinity);
    const minute = (time) => new Date(Math.floor(time / 60_000) * 60_000).toISOString();
    return from < to
      ? { startTime: minute(Math.max(from, startTime ? Date.parse(startTime) : from)), endTime: minute(to) }
      : {};
  },
  allocateIps: () => ({ count: 1 }),
};
