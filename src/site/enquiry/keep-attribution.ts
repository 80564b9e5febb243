import { attributionField } from '#contract/api-constants.ts'
import { readTabStorage, writeTabStorage } from './tab-storage.ts'

/** Puts the tab's first and last touch into the form. @param isNewPage false if the page was reloaded or restored */
export function keepAttribution(isNewPage: boolean): void {
  const [field] = document.getElementsByName(attributionField) as NodeListOf<HTMLInputElement>
  if (!field) return
  const kept = readTabStorage(attributionField)
  if (kept !== null) field.value = mergeTouches(kept, isNewPage ? field.value : '')
  writeTabStorage(attributionField, field.value)
}

/** Adds a page's touch to the tab's first touch. If the page brings no touch, or already two, the kept touches stay. */
export const mergeTouches = (kept: string, touches: string): string =>
  touches && !touches.includes(' ') ? `${kept.split(' ', 1)} ${touches}` : kept
