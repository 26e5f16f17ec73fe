import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/* The installed browser: `CHROMIUM` or one of these. */
const executablePath = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find((path) => path !== undefined && existsSync(path));
if (!executablePath) console.warn('SKIPPED: there is no Chromium to open Swagger UI in; CHROMIUM selects a browser');

export const hasBrowser = executablePath !== undefined;
export const itInBrowser = hasBrowser ? it : it.skip;

/** Chromium's own sandbox does not work as root, the user of CI containers. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
