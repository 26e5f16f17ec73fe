/* Moving a device within its rack to another place that is free: by dragging it, or with Alt and an arrow key. */

import { useRef, useState } from 'preact/hooks';
import { reloadAll, send } from '../api.js';
import { collectionAt, may, operationOn } from '../model.js';
import { planned, queryIn, usePlanOf } from '../plan.js';
import { say, sayRefusal } from '../toasts.js';
import { undoOf } from '../undo.js';
import { UNIT } from './free-unit.js';

/** A device that can be moved: its id, its name, and the units that it takes. */
interface Standing {
  id: string;
  name: string;
  position: number;
  uHeight: number | null;
}

/** A pointer that goes less far, in pixels, opens the device. */
const NEAR = 5;

/**
 * @param free units in which nothing is
 * @returns the place that the dragged device would get, and what a drawn device listens to; undefined if it may not be moved
 */
export function useMoving(free: readonly number[]) {
  const operation = operationOn(collectionAt('/api/devices')!, 'patch');
  const plan = usePlanOf(operation!);
  const [target, setTarget] = useState<Standing>();
  const dragged = useRef<{ from: number; to?: number } | undefined>(undefined);
  const fits = ({ position, uHeight }: Standing, place: number): boolean => {
    const height = Math.ceil(uHeight ?? 1);
    const own = (unit: number): boolean => unit >= position && unit < position + height;
    return Array.from({ length: height }, (_, at) => place + at).every((unit) => own(unit) || free.includes(unit));
  };
  const move = async (device: Standing, place: number): Promise<void> => {
    try {
      const body = { rackPosition: place };
      const answer = await send('PATCH', `/api/devices/${device.id}${queryIn(plan)}`, { body });
      if (plan) return planned(plan, `The move of ${device.name}`);
      say(`${device.name} moved to unit ${place}`, { undo: undoOf(answer) });
      reloadAll();
    } catch (refused) {
      sayRefusal(refused);
    }
  };
  const listening = (device: Standing) => ({
    onDragStart: (event: Event) => event.preventDefault(),
    onPointerDown: (event: PointerEvent) => {
      if (event.pointerType !== 'touch' && event.button === 0) dragged.current = { from: event.clientY };
    },
    onPointerMove: (event: PointerEvent) => {
      // The button may have been released outside of the device.
      if (event.buttons === 0) dragged.current = undefined;
      const drag = dragged.current;
      if (!drag || (drag.to === undefined && Math.abs(event.clientY - drag.from) < NEAR)) return;
      const element = event.currentTarget as SVGAElement;
      element.setPointerCapture(event.pointerId);
      const scale = element.ownerSVGElement!.getScreenCTM()!.d;
      drag.to = device.position - Math.round((event.clientY - drag.from) / scale / UNIT);
      setTarget(fits(device, drag.to) ? { ...device, position: drag.to } : undefined);
    },
    onPointerUp: () => {
      setTarget(undefined);
      if (target && target.position !== device.position) void move(device, target.position);
    },
    onPointerCancel: () => {
      dragged.current = undefined;
      setTarget(undefined);
    },
    onClick: (event: Event) => {
      if (dragged.current?.to !== undefined) event.preventDefault();
      dragged.current = undefined;
    },
    onKeyDown: (event: KeyboardEvent) => {
      const way = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (!event.altKey || way === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      const places = free.filter((unit) => (unit - device.position) * way > 0).concat(device.position + way);
      const [next] = places.filter((place) => fits(device, place)).toSorted((one, other) => (one - other) * way);
      if (next !== undefined) void move(device, next);
    },
  });
  return { target, listening: may(operation) ? listening : undefined };
}
