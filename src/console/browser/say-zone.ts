/** Tells the server whose days are meant, from the next page on: it cannot know by itself. */
export function sayZone(): void {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const year = 365 * 24 * 60 * 60
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser that we serve
  document.cookie = `console-zone=${timeZone}; path=/; max-age=${year}; samesite=strict`
}
