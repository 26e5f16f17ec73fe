/* Shared by drawings: available space, the width of texts, and keyboard navigation. */

import { useEffect, useRef, useState } from 'preact/hooks';

/** Width of a letter in a drawing, in pixels. */
const LETTER = 7;

/** Width of an element, or the last one that it had if it is not shown. */
export function useWidth() {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(900);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth((before) => entry!.contentRect.width || before));
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, []);
  return { element, width };
}

/** As much of a text as there is room for. */
export function shortened(text: string, room: number): string {
  const letters = Math.floor(room / LETTER);
  if (text.length <= letters) return text;
  return letters < 3 ? '' : `${text.slice(0, letters - 1)}…`;
}

/** The ways that arrow keys go: across, and down. */
const WAYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
/** Distance between rows counts more than any distance within a row. */
const ROWS_FIRST = 1e5;
/** Elements with a smaller vertical distance in pixels are in the same row. */
const NEAR = 9;

/** Arrow keys move among the links and buttons of a drawing. Tab reaches only one of them. */
export function useArrows() {
  const ref = useRef<SVGSVGElement>(null);
  const all = (): SVGElement[] => [...(ref.current?.querySelectorAll<SVGElement>('a, [role=button]') ?? [])];
  const take = (one: SVGElement | undefined): void => {
    for (const each of all()) each.setAttribute('tabindex', each === one ? '0' : '-1');
  };
  // After each drawing: there may be new elements, and the one that Tab reached may be gone.
  useEffect(() => take(all().find((one) => one.getAttribute('tabindex') === '0') ?? all()[0]));
  const middle = (one: Element): [number, number] => {
    const { left, top, width, height } = one.querySelector('rect')!.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const way = WAYS[event.key];
    const now = document.activeElement;
    if (!way || !now || !ref.current!.contains(now)) return;
    event.preventDefault();
    const [x, y] = middle(now);
    const [next] = all()
      .map((one) => {
        const [across, down] = middle(one).map((at, index) => at - [x, y][index]!) as [number, number];
        return { one, ahead: across * way[0] + down * way[1], far: Math.abs(down) * ROWS_FIRST + Math.abs(across) };
      })
      .filter(({ ahead, far }) => ahead > 1 && (way[1] !== 0 || far < NEAR * ROWS_FIRST))
      .toSorted((one, other) => one.far - other.far);
    if (!next) return;
    take(next.one);
    next.one.focus();
  };
  return { ref, onKeyDown };
}
