import { attributionField } from '#contract/api-constants.ts'
import { readTabStorage, writeTabStorage } from './tab-storage.ts'

/**
 * Keeps the tab's first and last touch, and puts them into the page's field, where the server has put this page's touch.
 *
 * @param isNewPage false if the page was reloaded or restored
 */
export function keepAttribution(isNewPage: boolean): void {
  const [field] = document.getElementsByName(attributionField) as NodeListOf<HTMLInputElement>
  if (!field) return
  const kept = readTabStorage(attributionField)
  if (kept !== null) field.value = mergeTouches(kept, isNewPage ? field.value : '')
  writeTabStorage(attributionField, field.value)
}

/**
 * Makes the page's touch the last touch. A page without a touch, or with two, continues an earlier visit, and the stored
 * touches stay.
 *
 * @param kept see `attributionField`
 * @param touches of the page: see `readVisitAttribution`
 */
export const mergeTouches = (kept: string, touches: string): string =>
  touches && !touches.includes(' ') ? `${kept.split(' ', 1)} ${touches}` : kept
