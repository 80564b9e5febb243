import { type Enquiry, newEnquiry } from '#domain/enquiry/enquiry.ts'

/** The tab's own storage: it outlives a reload and ends with the tab (ruling 16). */
const place = 'enquiry'

const untouched = JSON.stringify(newEnquiry)

/** What is stored, not yet checked: see `readDraft`. */
export function storedDraft(): string | null {
  try {
    return sessionStorage.getItem(place)
  } catch {
    return null
  }
}

/** Leaves the storage alone where nothing has changed: a form that nobody has touched is no draft. */
export function saveDraft(enquiry: Enquiry): void {
  const text = JSON.stringify(enquiry)
  if (text === (storedDraft() ?? untouched)) return
  try {
    sessionStorage.setItem(place, text)
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
