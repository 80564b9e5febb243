import { attributionField } from '#contract/api-constants.ts'
import { readTabStorage, writeTabStorage } from './tab-storage.ts'

/**
 * Keeps the attribution for the tab. The page's field holds what the server has read from the visit; this function puts
 * the tab's first and last touch there.
 *
 * @param isNewVisit false if the page was reloaded or restored
 */
export function keepAttribution(isNewVisit: boolean): void {
  const [field] = document.getElementsByName(attributionField) as NodeListOf<HTMLInputElement>
  if (!field) return
  const kept = readTabStorage(attributionField)
  if (kept !== null) field.value = mergeVisit(kept, isNewVisit ? field.value : '')
  writeTabStorage(attributionField, field.value)
}

/**
 * Makes the touch of a visit the last touch. A visit without a touch, or with two, is only another page of an earlier
 * visit, and keeps the stored touches.
 *
 * @param kept see `attributionField`
 * @param visit see `readVisitAttribution`
 */
export const mergeVisit = (kept: string, visit: string): string =>
  visit && !visit.includes(' ') ? `${kept.split(' ', 1)} ${visit}` : kept
