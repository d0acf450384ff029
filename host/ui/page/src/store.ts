// What a tab or a browser keeps. A browser that keeps nothing, as of a file in a sandbox, is no reason to stop.
export function kept(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key);
  } catch {
    return null;
  }
}

export function keep(storage: () => Storage, key: string, value: string): void {
  try {
    storage().setItem(key, value);
  } catch {
    // it counts until the page is left
  }
}
