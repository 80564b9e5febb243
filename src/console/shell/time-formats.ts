/** Makes the formats for times, by default for the browser's language and time zone. */
export function makeTimeFormats(locale?: string, timeZone?: string) {
  const make = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone })
  return {
    moment: make({ dateStyle: 'medium', timeStyle: 'short' }),
    seconds: make({ dateStyle: 'medium', timeStyle: 'medium' }),
    day: make({ dateStyle: 'medium' }),
    clock: make({ timeStyle: 'short' }),
  }
}

export type TimeFormat = keyof ReturnType<typeof makeTimeFormats>
