/**
 * Where a tab was duplicated, both hold one draft, and so one Idempotency-Key. What one of them has sent it tells the
 * others by a storage event; nothing is left in the storage.
 */
const place = 'enquiry-sent'

let lastSent: string | undefined

export function tellSentKey(key: string): void {
  try {
    localStorage.setItem(place, key)
    localStorage.removeItem(place)
  } catch {
    // Where storage is forbidden no draft is duplicated either.
  }
}

/** Returns what stops listening. */
export function hearSentKeys(): () => void {
  const listener = ({ key, newValue }: StorageEvent) => {
    if (key === place && newValue) lastSent = newValue
  }
  addEventListener('storage', listener)
  return () => removeEventListener('storage', listener)
}

/** Whether another tab has sent its enquiry by this key: what stands in this one is another. */
export const wasSent = (key: string): boolean => key === lastSent
