/** Beside the draft: the lead that this tab has told of. */
const place = 'enquiry-counted'

/** Loads the pixel of a lead, once: thanks that are reloaded or returned to are no second lead. */
export function loadPixel(url: string, leadId: string): void {
  try {
    if (sessionStorage.getItem(place) === leadId) return
    sessionStorage.setItem(place, leadId)
  } catch {
    // Where storage is forbidden a reload counts again.
  }
  new Image().src = url
}
