const written = {
  moment: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }),
  seconds: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' }),
  day: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }),
  // Times below a chart are short, because there is no room for more.
  clock: new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }),
}

/** Writes each time in the operator's time zone, which the server cannot know. The `title` shows the exact time. */
export function localizeTimes(within: ParentNode): void {
  for (const element of within.querySelectorAll('time')) {
    const as = element.dataset.as as keyof typeof written
    element.textContent = written[as].format(new Date(element.dateTime))
  }
}

/** Tells the server the browser's time zone in a cookie. */
export function storeTimeZone(): void {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const year = 365 * 24 * 60 * 60
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser that we serve
  document.cookie = `console-zone=${timeZone}; path=/; max-age=${year}; samesite=strict`
}
