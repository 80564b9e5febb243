import type { WireLead } from '#domain/lead/wire-lead.ts'

const maxCharacters = 300

// The bound keeps a long reply without an @ from being read once for each of its characters.
/** Emails; IPv4 addresses; digits enough for a ZIP or a part of a phone number. A status or an id of two digits stays. */
const personalShapes = [/[^\s"'<>=:,;]{1,64}@[^\s"'<>,;]+/g, /\d+(?:\.\d+){3}/g, /\d{3,}/g]

/** What may stand between two words of a value in an echo: spaces, signs, `+`, or an HTML entity such as `&#39;`. */
const betweenWords = '(?:&#?\\w{1,8};|[^\\p{L}\\p{N}]){1,6}'

/**
 * Makes what the distributor said fit to be stored. A reply may echo the request, so the lead's personal values are
 * masked as well, in plain, percent, JSON or HTML writing, and the rest cut at 300 characters.
 */
export function makeExcerpt({ lead, lead_address }: WireLead): (text: string) => string {
  const personalValues = valuesPattern([
    lead_address.address,
    lead.firstname,
    lead.lastname,
    lead.email,
    lead.phone1,
    lead.ip,
    lead_address.city,
  ])
  return (text) => {
    let shown = unescapeText(text)
    if (personalValues) shown = shown.replace(personalValues, '***')
    for (const shape of personalShapes) shown = shown.replace(shape, '***')
    const characters = [...shown.replace(/[\s\p{Cc}]+/gu, ' ').trim()]
    return characters.length > maxCharacters
      ? `${characters.slice(0, maxCharacters - 1).join('')}…`
      : characters.join('')
  }
}

/** Whole values only: a single word of a name such as "Price" would mask what the distributor itself says. */
function valuesPattern(values: readonly string[]): RegExp | undefined {
  const patterns = values
    .map((value) => value.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ''))
    // A single letter tells nobody, and masking it would leave nothing to read.
    .filter((words) => words.join('').length > 1)
    .map((words) => words.join(betweenWords))
  if (patterns.length === 0) return undefined
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${patterns.join('|')})(?![\\p{L}\\p{N}])`, 'giu')
}

/** Percent and JSON escapes as characters: a name must not pass because it is written otherwise. */
function unescapeText(text: string): string {
  return text
    .replace(/\\u([\dA-Fa-f]{4})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    .replace(/(?:%[\dA-Fa-f]{2})+/g, (run) => {
      try {
        return decodeURIComponent(run)
      } catch {
        return run
      }
    })
}
