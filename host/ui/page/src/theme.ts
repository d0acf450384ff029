// Light and dark: as the machine says, until somebody chooses.
import { keep, kept } from "./store";

const key = "awhost-theme";

export function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

export function applyTheme(): void {
  const chosen = kept(() => localStorage, key);
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
}

export function toggleTheme(): void {
  const next = isDark() ? "light" : "dark";
  keep(() => localStorage, key, next);
  document.documentElement.dataset.theme = next;
  document.dispatchEvent(new Event("theme"));
}

/** Calls a function when the colours change. */
export function onTheme(act: () => void, signal: AbortSignal): void {
  document.addEventListener("theme", act, { signal });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", act, { signal });
}

/** A colour of the style sheet, for what is drawn on a canvas. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
