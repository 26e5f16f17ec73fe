/* Keys for the rows of a table: `j` and `k` move the focus, so that Enter opens the row, and `x` ticks it. */

export function moveInRows(key: string): void {
  const inside = document.activeElement?.closest('table.records');
  const table = inside ?? document.querySelector('main table.records');
  const rows = [...(table?.querySelectorAll('tbody tr') ?? [])];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  if (key === 'x' || key === 'X') {
    const box = rows[at]?.querySelector('.tick input');
    box?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: key === 'X' }));
    return;
  }
  const next = rows[at < 0 ? 0 : at + (key === 'j' ? 1 : -1)];
  const names = ['a.name', 'a', 'input'].flatMap((one) => next?.querySelector<HTMLElement>(one) ?? []);
  names[0]?.focus();
}
