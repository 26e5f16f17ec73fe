import { readFileSync } from 'node:fs';

/** The icons of the page: those of the package `heroicons` in outline. */
const ICONS = [
  'archive-box',
  'arrow-down',
  'arrow-down-tray',
  'arrow-path',
  'arrow-up',
  'arrow-uturn-left',
  'arrows-pointing-out',
  'bell-alert',
  'bookmark',
  'building-office-2',
  'calendar',
  'chat-bubble-left',
  'check',
  'check-circle',
  'chevron-down',
  'chevron-right',
  'clipboard',
  'clock',
  'cog-6-tooth',
  'document-text',
  'ellipsis-horizontal',
  'exclamation-triangle',
  'funnel',
  'globe-alt',
  'home',
  'inbox',
  'magnifying-glass',
  'pencil-square',
  'phone',
  'plus',
  'printer',
  'server-stack',
  'trash',
  'user-plus',
  'users',
  'view-columns',
  'x-mark',
] as const;

export type IconName = (typeof ICONS)[number];

/** All icons as one picture: each is a symbol with its name. */
export function iconSheet(): string {
  const symbols = ICONS.map((name) => {
    const text = readFileSync(require.resolve(`heroicons/24/outline/${name}.svg`), 'utf8');
    const drawing = text.slice(text.indexOf('>') + 1, text.lastIndexOf('</svg>'));
    return `<symbol id="${name}" viewBox="0 0 24 24">${drawing.trim()}</symbol>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>\n`;
}
