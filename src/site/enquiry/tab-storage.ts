// The tab's storage survives a reload and ends with the tab (reading 16). If the storage is forbidden or full, the form
// still works, but a reload loses the enquiry.

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
    // If the storage is forbidden or full, the text is not kept.
  }
}
