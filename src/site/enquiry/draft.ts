import type { Enquiry } from '#domain/enquiry/enquiry.ts'

/** The tab's own storage: it outlives a reload and ends with the tab (ruling 16). */
const place = 'enquiry'

/** What is stored, not yet checked: see `readDraft`. */
export function storedDraft(): string | null {
  try {
    return sessionStorage.getItem(place)
  } catch {
    return null
  }
}

export function saveDraft(enquiry: Enquiry): void {
  try {
    sessionStorage.setItem(place, JSON.stringify(enquiry))
  } catch {
    // Storage is full or forbidden: a reload then loses the enquiry, the form itself does not.
  }
}

export function dropDraft(): void {
  try {
    sessionStorage.removeItem(place)
  } catch {
    // Nothing was stored where storage is forbidden.
  }
}
