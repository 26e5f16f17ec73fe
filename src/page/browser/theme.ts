/* The theme: that of the system, or the one that somebody has chosen in this browser. */

export const THEMES = ['system', 'light', 'dark'] as const;
const KEPT_AS = 'inventory.theme';

/** Storage may be closed to the page. The theme is then that of the system again after a reload. */
export function chosenTheme(): string {
  try {
    return localStorage.getItem(KEPT_AS) ?? THEMES[0];
  } catch {
    return THEMES[0];
  }
}

const show = (theme: string): void => {
  document.documentElement.style.colorScheme = theme === 'light' || theme === 'dark' ? theme : '';
};

export function setTheme(theme: string): void {
  show(theme);
  try {
    localStorage.setItem(KEPT_AS, theme);
  } catch {
    // As above.
  }
}

show(chosenTheme());
