import { BinaryBitmap, Code128Reader, GlobalHistogramBinarizer, RGBLuminanceSource } from '@zxing/library';
import jsQR from 'jsqr';
import type { Browser, Page } from 'playwright-core';

/** A picture as rows of red, green, blue and opacity. */
export interface Picture {
  width: number;
  height: number;
  data: Uint8ClampedArray;
}

/** The contents of the QR code in a picture; undefined if none can be read. */
export const scanQr = ({ data, width, height }: Picture): string | undefined => jsQR(data, width, height)?.data;

/** The contents of the Code 128 in a picture. @throws if none can be read */
export function scanCode128({ data, width, height }: Picture): string {
  const luminance = new Uint8ClampedArray(width * height).map((_, pixel) => data[pixel * 4]!);
  const source = new RGBLuminanceSource(luminance, width, height);
  return new Code128Reader().decode(new BinaryBitmap(new GlobalHistogramBinarizer(source))).getText();
}

/** An empty page of each browser, in which it decodes pictures. */
const decoders = new WeakMap<Browser, Promise<Page>>();

function decoderOf(browser: Browser): Promise<Page> {
  let decoder = decoders.get(browser);
  if (!decoder) decoders.set(browser, (decoder = browser.newPage()));
  return decoder;
}

/** The pixels of a PNG, as the browser decodes it. */
export async function pictureOf(browser: Browser, png: Buffer): Promise<Picture> {
  const page = await decoderOf(browser);
  const { width, height, data } = await page.evaluate(
    async (address) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      const canvas = document.createElement('canvas');
      Object.assign(canvas, { width: image.width, height: image.height });
      const context = canvas.getContext('2d')!;
      context.drawImage(image, 0, 0);
      const pixels = context.getImageData(0, 0, image.width, image.height).data;
      let text = '';
      for (let at = 0; at < pixels.length; at += 8192) text += String.fromCodePoint(...pixels.subarray(at, at + 8192));
      return { width: image.width, height: image.height, data: btoa(text) };
    },
    `data:image/png;base64,${png.toString('base64')}`,
  );
  return { width, height, data: new Uint8ClampedArray(Buffer.from(data, 'base64')) };
}

/** Draws the dark rectangles of a path on white, with this number of pixels per unit. */
export function pictureOfPath(path: string, width: number, height: number, scale: number): Picture {
  const [across, down] = [width * scale, height * scale];
  const data = new Uint8ClampedArray(across * down * 4).fill(255);
  let [x, y] = [0, 0];
  for (const [, command, first, second] of path.matchAll(/([MmvhVz])(-?\d+)?(?: (-?\d+))?/g)) {
    if (command === 'M') [x, y] = [Number(first), Number(second)];
    if (command === 'm') [x, y] = [x + Number(first), y + Number(second)];
    if (command !== 'h') continue;
    for (let row = y * scale; row < (y + 1) * scale; row++)
      for (let column = x * scale; column < (x + Number(first)) * scale; column++)
        data.fill(0, (row * across + column) * 4, (row * across + column) * 4 + 3);
  }
  return { width: across, height: down, data };
}
