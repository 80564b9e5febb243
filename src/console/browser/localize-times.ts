import { makeTimeFormats, type TimeFormat } from '#domain/text/time-formats.ts'

const timeFormats = makeTimeFormats()

/** Shows each `time` element in the browser's time zone. The element's `title` keeps the exact time in UTC. */
export function localizeTimes(within: ParentNode): void {
  for (const element of within.querySelectorAll('time')) {
    const format = element.dataset.format as TimeFormat
    element.textContent = timeFormats[format].format(new Date(element.dateTime))
  }
}

/** Tells the server the browser's time zone in a cookie. */
export function storeTimeZone(): void {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const year = 365 * 24 * 60 * 60
  // biome-ignore lint/suspicious/noDocumentCookie: some browsers that we support lack the Cookie Store API
  document.cookie = `console-zone=${timeZone}; path=/; max-age=${year}; samesite=strict`
}
