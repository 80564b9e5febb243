import type { ZipPlace } from '../zip-data/look-up-zip.ts'

/** Delivery addresses without a street: post office box, rural and highway contract routes, the forces' boxes. */
const withoutStreet = [
  /^p\.?\s*o\.?\s*box\s+#?\s*\w+/i,
  /^(rr|rural route|hc)\s*#?\s*\d+,?\s+box\s+#?\s*\w+/i,
  /^(psc|cmr|unit)\s+\d+,?\s+box\s+\d+/i,
]

/** A house number, such as 12, 12B, 12-34 or Wisconsin's N6W23001; not the ordinal of "5th Avenue". */
const houseNumber = /^(?!\d+(?:st|nd|rd|th)\b)[nsew]?\d[\w/-]*\s+/i

/** A name has at least two letters: "12 B" is a number and a unit. */
const name = /\p{L}.*\p{L}/u

const hasNumberAndName = (line: string) =>
  houseNumber.test(line) && name.test(line.replace(houseNumber, ''))

/** Whether the line could be a street address: number and name, or a box. */
export function hasStreetShape(street: string): boolean {
  const line = street.trim()
  return hasNumberAndName(line) || withoutStreet.some((rule) => rule.test(line))
}

export interface Place extends ZipPlace {
  /** The state's full name, where known. */
  readonly stateName?: string | undefined
}

/** Whether the line holds what belongs in other fields: the ZIP, or city and state one after the other. */
export function holdsMoreThanStreet(street: string, zip: string, place: Place): boolean {
  // A house number may happen to equal the ZIP.
  const afterNumber = street.trim().replace(/^\d+\s/, '')
  if (new RegExp(`(?<!\\d)${zip}(?!\\d)`).test(afterNumber)) return true
  const words = (text: string) => ` ${text.toLowerCase().replace(/[^\p{L}\d]+/gu, ' ')} `
  const line = words(street)
  return [place.state, place.stateName]
    .filter((state) => state !== undefined)
    .some((state) => line.includes(words(`${place.city} ${state}`)))
}
