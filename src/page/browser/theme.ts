/* How the page looks in this browser: its theme, and how close rows stand. The first choice is what is shown if none was made. */

import { keep, kept } from './kept.js';

export const CHOICES = { theme: ['system', 'light', 'dark'], density: ['comfortable', 'compact'] } as const;
type Choice = keyof typeof CHOICES;

export const chosen = (choice: Choice): string => kept<string>(choice, CHOICES[choice][0]);

function show(choice: Choice, value: string): void {
  const { style, dataset } = document.documentElement;
  if (choice === 'density') dataset.density = value;
  else style.colorScheme = value === 'light' || value === 'dark' ? value : '';
}

export function choose(choice: Choice, value: string): void {
  show(choice, value);
  keep(choice, value);
}

show('theme', chosen('theme'));
show('density', chosen('density'));
