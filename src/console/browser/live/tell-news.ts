import type { ListNews } from './update-list.ts'

/** A reader of the screen is told so often at most, in milliseconds. */
const sayEvery = 15_000

let saidAt = Number.NEGATIVE_INFINITY

/** Beside the list: how many would come, by a link that brings them. */
export function tellNews(list: HTMLElement, { added, gone }: ListNews): void {
  const place = list.previousElementSibling
  const link = place?.querySelector('a')
  const status = place?.querySelector('[role=status]')
  if (!place || !link || !status) return
  const text = [
    ...(added > 0 ? [`${added.toLocaleString('en-US')} new`] : []),
    ...(gone > 0 ? [`${gone.toLocaleString('en-US')} no longer in this list`] : []),
  ].join(', ')
  link.hidden = text === ''
  link.textContent = `Show ${text}`
  if (text === '' || performance.now() - saidAt < sayEvery) return
  saidAt = performance.now()
  status.textContent = text
}
