// The tab's storage survives a reload and ends with the tab (reading 16). If it is forbidden or full, a reload loses the
// enquiry, but the form still works.

export function readTabStorage(name: string): string | null {
  try {
    return sessionStorage.getItem(name)
  } catch {
    return null
  }
}

/** @param text null removes the entry */
export function writeTabStorage(name: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, text)
  } catch {
    // Without storage, nothing is kept.
  }
}
