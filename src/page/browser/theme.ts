/* The theme: that of the system, or the one that somebody has chosen in this browser. */

import { keep, kept } from './kept.js';

export const THEMES = ['system', 'light', 'dark'] as const;

export const chosenTheme = (): string => kept<string>('theme', THEMES[0]);

const show = (theme: string): void => {
  document.documentElement.style.colorScheme = theme === 'light' || theme === 'dark' ? theme : '';
};

export function setTheme(theme: string): void {
  show(theme);
  keep('theme', theme);
}

show(chosenTheme());
