type As = 'moment' | 'seconds' | 'clock' | 'day'

const written: Readonly<Record<As, Intl.DateTimeFormat>> = {
  moment: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }),
  seconds: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' }),
  // Below a chart there is no room for more.
  clock: new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }),
  day: new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' }),
}

/** Writes each point in time in the operator's zone: the server cannot know it. The exact one stays in its title. */
export function writeTimes(within: ParentNode): void {
  for (const element of within.querySelectorAll('time')) {
    const as = (element.dataset.as ?? 'moment') as As
    element.textContent = written[as].format(new Date(element.dateTime))
  }
}

/** Sends the server the browser's time zone, from the next page on: it cannot know it otherwise. */
export function showTimeZone(): void {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const year = 365 * 24 * 60 * 60
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser that we serve
  document.cookie = `console-zone=${timeZone}; path=/; max-age=${year}; samesite=strict`
}
