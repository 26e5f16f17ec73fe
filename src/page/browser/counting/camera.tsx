/* Scanning with the camera, if the browser can read barcodes. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { Failure } from '../parts.js';

interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}
const BarcodeDetector = (globalThis as { BarcodeDetector?: new () => Detector }).BarcodeDetector;

export const hasCamera = BarcodeDetector !== undefined && navigator.mediaDevices !== undefined;

/** Milliseconds between frames, and for which the same code counts as the same scan. */
const LOOK = 200;
const SAME = 3_000;

export function Camera({ scan }: { scan: (code: string) => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const latest = useRef(scan);
  latest.current = scan;
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    let stream: MediaStream | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const last = new Map<string, number>();
    const detector = new BarcodeDetector!();
    const look = async (): Promise<void> => {
      const found = await detector.detect(video.current!).catch(() => []);
      if (isOver) return;
      for (const { rawValue } of found) {
        if (Date.now() - (last.get(rawValue) ?? 0) > SAME) latest.current(rawValue);
        last.set(rawValue, Date.now());
      }
      timer = setTimeout(() => void look(), LOOK);
    };
    const begin = async (): Promise<void> => {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
      if (isOver) return stop();
      video.current!.srcObject = stream;
      await video.current!.play();
      await look();
    };
    const stop = (): void => stream?.getTracks().forEach((track) => track.stop());
    begin().catch((error: Error) => !isOver && setFault(error.message));
    return () => {
      isOver = true;
      clearTimeout(timer);
      stop();
    };
  }, []);
  return fault === undefined ? (
    <video ref={video} muted playsInline aria-label="What the camera sees" />
  ) : (
    <Failure error={{ message: `The camera cannot be used: ${fault}` }} />
  );
}
