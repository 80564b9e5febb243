/**
 * Where a tab was duplicated, both hold one draft, and so one Idempotency-Key. This remembers the last that was sent, by any
 * tab: it is no person's, and says nothing of one.
 */
const place = 'enquiry-sent'

export function rememberSentKey(key: string): void {
  try {
    localStorage.setItem(place, key)
  } catch {
    // Where storage is forbidden no draft is duplicated either.
  }
}

/** Whether another tab has sent its enquiry by this key: what stands in this one is another. */
export function wasSent(key: string): boolean {
  try {
    return localStorage.getItem(place) === key
  } catch {
    return false
  }
}
