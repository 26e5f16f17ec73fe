/**
 * Finds layout faults in the page, inside the browser: horizontal scrolling of the page, clipped headings and controls, and overlapping
 * texts and controls.
 */
export function faultsOfLayout(): string[] {
  const faults: string[] = [];
  const root = document.documentElement;
  const nameOf = (element: Element): string =>
    `${element.tagName.toLowerCase()}.${element.className} ${JSON.stringify((element.textContent ?? '').trim().slice(0, 30))}`;
  if (root.scrollWidth > root.clientWidth) faults.push(`the page is ${root.scrollWidth} wide`);

  /** The visible box of an element: without the parts that ancestors clip. */
  const seen = (element: Element): { left: number; top: number; right: number; bottom: number } | undefined => {
    let { left, top, right, bottom } = element.getBoundingClientRect();
    for (let around = element.parentElement; around && around !== root; around = around.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(around);
      const box = around.getBoundingClientRect();
      if (overflowX !== 'visible') [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
      if (overflowY !== 'visible') [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
    }
    return right - left > 1 && bottom - top > 1 ? { left, top, right, bottom } : undefined;
  };

  for (const element of document.querySelectorAll('main :is(button, .button, .tabs a, h1, h2, dt, label, thead th)')) {
    const style = getComputedStyle(element);
    if (element.closest('.hidden') || style.display === 'inline') continue;
    if (element.scrollWidth > element.clientWidth + 1 && seen(element) && style.textOverflow !== 'ellipsis')
      faults.push(`cut off: ${nameOf(element)}`);
  }

  // In right-to-left text, the beginning is on the right.
  for (const text of document.querySelectorAll('main :is(td, li) bdi')) {
    const [box, whole] = [seen(text), text.getBoundingClientRect()];
    if (!box || text.closest('.hidden') || !text.checkVisibility() || getComputedStyle(text).display === 'contents')
      continue;
    const isRightToLeft = text.matches(':dir(rtl)');
    const region = text.closest('.scroll, .row-of-racks');
    const cell = text.closest('td, li')!.getBoundingClientRect();
    if (isRightToLeft && whole.right > cell.right + 1) faults.push(`its beginning is cut off: ${nameOf(text)}`);
    if (!isRightToLeft && whole.left < cell.left - 1 && !region)
      faults.push(`its beginning is cut off: ${nameOf(text)}`);
  }

  const shown = [
    ...document.querySelectorAll(
      'main :is(a, button, input, select, h1, h2, dt, bdi, time, img, .badge, .meter), .top > *',
    ),
  ]
    // Content below the bar of a long form can be scrolled to. In a picture, a link's box includes clipped content.
    .filter((element) => element.checkVisibility() && !element.closest('.hidden, dialog, .submit, svg'))
    .slice(0, 900)
    .map((element) => ({ element, box: seen(element) }))
    .filter(({ box }) => box);
  for (const [index, { element, box }] of shown.entries()) {
    if (box!.right > root.clientWidth + 1 || box!.left < -1) faults.push(`out of the page: ${nameOf(element)}`);
    for (const { element: other, box: its } of shown.slice(index + 1)) {
      if (element.contains(other) || other.contains(element)) continue;
      const width = Math.min(box!.right, its!.right) - Math.max(box!.left, its!.left);
      const height = Math.min(box!.bottom, its!.bottom) - Math.max(box!.top, its!.top);
      // Inline boxes of neighbouring lines touch each other, so multi-line boxes are compared line by line.
      if (width <= 2 || height <= 6) continue;
      const lines = (one: Element): DOMRect[] => [...one.getClientRects()];
      const isOver = lines(element).some((a) =>
        lines(other).some(
          (b) =>
            Math.min(a.right, b.right, box!.right, its!.right) - Math.max(a.left, b.left) > 2 &&
            Math.min(a.bottom, b.bottom, box!.bottom, its!.bottom) - Math.max(a.top, b.top) > 6,
        ),
      );
      if (isOver) faults.push(`${nameOf(element)} lies over ${nameOf(other)}`);
    }
  }
  return faults.slice(0, 8);
}
