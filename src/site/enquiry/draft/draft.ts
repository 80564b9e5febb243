import { type Enquiry, newEnquiry } from '#domain/enquiry/enquiry.ts'

/** The tab's own storage: it outlives a reload and ends with the tab (reading 16). */
const place = 'enquiry'

const sentFromHere = 'enquiry-sent'

const untouched = JSON.stringify(newEnquiry)

/** What is stored, not yet checked: see `readDraft`. */
export function storedDraft(): string | null {
  try {
    return sessionStorage.getItem(place)
  } catch {
    return null
  }
}

/** Whether the draft is what the form has. A form that nobody has touched is no draft. */
export const isDraft = (enquiry: Enquiry): boolean =>
  JSON.stringify(enquiry) === (storedDraft() ?? untouched)

let isGivenUp = false

/** What stands in this page is old: nothing of it is kept any more, not even as it is left. */
export const giveUpDraft = (): void => {
  isGivenUp = true
}

export function saveDraft(enquiry: Enquiry): void {
  if (isGivenUp || isDraft(enquiry)) return
  try {
    sessionStorage.setItem(place, JSON.stringify(enquiry))
  } catch {
    // Storage is full or forbidden: a reload then loses the enquiry, the form itself does not.
  }
}

/** The enquiry has been sent. */
export function dropDraft(): void {
  try {
    sessionStorage.removeItem(place)
    sessionStorage.setItem(sentFromHere, 'yes')
  } catch {
    // Nothing was stored where storage is forbidden.
  }
}

/** Whether this tab has sent one: what the browser brings back may be the answers of who sat here before. */
export function hasSent(): boolean {
  try {
    return sessionStorage.getItem(sentFromHere) !== null
  } catch {
    return false
  }
}
