// The tab's own storage: it outlives a reload and ends with the tab (reading 16). Where storage is forbidden or full,
// nothing is kept: a reload then loses the enquiry, the form itself does not.

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
    // See above.
  }
}
