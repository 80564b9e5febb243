import type { ListNews } from './update-list.ts'

/** A reader of the screen is told so often at most, in milliseconds. */
const sayEvery = 15_000

let saidAt = Number.NEGATIVE_INFINITY

/** Beside the list: how many would come, by a link that brings them. */
export function tellNews(list: HTMLElement, { added, gone }: ListNews): void {
  const place = list.previousElementSibling
  const link = place?.querySelector('a')
  if (!place || !link) return
  const text = [
    ...(added > 0 ? [`${added.toLocaleString('en-US')} new`] : []),
    ...(gone > 0 ? [`${gone.toLocaleString('en-US')} no longer in this list`] : []),
  ].join(', ')
  if (link.hidden ? text === '' : link.textContent === `Show ${text}`) return
  // The link stands in a live region: in between it changes in silence.
  const isDue = performance.now() - saidAt >= sayEvery
  place.setAttribute('aria-live', isDue ? 'polite' : 'off')
  if (isDue) saidAt = performance.now()
  link.hidden = text === ''
  link.textContent = `Show ${text}`
}
