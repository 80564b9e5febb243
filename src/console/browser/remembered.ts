/** For this page alone, where storage is forbidden, as in some private windows, or full. */
const here = new Map<string, string>()

/** What this browser remembers for all pages of the console. */
export function recall(name: string): string | undefined {
  try {
    return here.get(name) ?? localStorage.getItem(name) ?? undefined
  } catch {
    return here.get(name)
  }
}

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(name, value)
    here.delete(name)
  } catch {
    here.set(name, value)
  }
}
