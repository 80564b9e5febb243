import type { ZipPlace } from '../zip-data/look-up-zip.ts'

/** Delivery addresses that need no house number before a street's name (Publication 28 of the Postal Service). */
const otherShapes = [
  // Post office boxes.
  /^(p\.? ?o\.? ?b(ox)?|post office box|box|apartado|caller|lock ?box|drawer) ?#? ?\w*\d/i,
  // Rural, highway contract and star routes.
  /^(r\.? ?r|r\.? ?f\.? ?d|rural route|route|rte?|h\.? ?c|highway contract|star route)\.? ?#? ?\w+,? box #? ?\w/i,
  // The forces' boxes, by the name of the post office or of the unit, and their ships.
  /^(psc|cmr|umr|omc|unit) \w+,? box \w/i,
  /^(uss|usns|uscgc?) \p{L}{2}/iu,
  // Puerto Rico: the urbanization comes before the number, the name of a street may be one, and a road has kilometres.
  /^(urb|urbanizaci[oó]n|cond|condominio|edif|edificio|ext|extensi[oó]n|parc|parcelas|res|residencial|barrio|bo|sector|jard|jardines|villas?|calle|carr|carretera|ave|avenida)\.? .*\d/iu,
]

/**
 * A house number: 12, 12B, 12-34 in Queens, 12 1/2, 12½, Wisconsin's N6W23001 and W180 N8000, a number word; not the
 * ordinal of "5th Avenue". The words are one to twenty: "One Penn Plaza".
 */
const houseNumber =
  /^(?:(?!\d+(?:st|nd|rd|th)\b)(?:[nsew]\d+ ?(?=[nsew]\d))?[nsew]?\d[\w/.½¼¾-]*(?: \d\/\d)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty),? /i

/** A name has at least two letters: "12 B" is a number and a unit. Utah's streets are numbers with two directions. */
const name = /\p{L}.*\p{L}/u

const hasNumberAndName = (line: string) =>
  houseNumber.test(line) && name.test(line.replace(houseNumber, ''))

/** Whether the line could be a street address: number and name, or a box. */
export function hasStreetShape(street: string): boolean {
  // One space between words: patterns that try each way to part a run of them take the square of its length.
  const line = street.trim().replace(/\s+/g, ' ')
  return hasNumberAndName(line) || otherShapes.some((rule) => rule.test(line))
}

export interface Place extends ZipPlace {
  /** The state's full name, where known. */
  readonly stateName?: string | undefined
}

/** Whether the line holds what belongs in other fields: the ZIP, or city and state one after the other. */
export function holdsMoreThanStreet(street: string, zip: string, place: Place): boolean {
  // A house number may happen to equal the ZIP.
  const afterNumber = street.trim().replace(/^\d+\s/, '')
  if (afterNumber.split(/\D+/).includes(zip)) return true
  const words = (text: string) => ` ${text.toLowerCase().replace(/[^\p{L}\d]+/gu, ' ')} `
  const line = words(street)
  return [place.state, place.stateName]
    .filter((state) => state !== undefined)
    .some((state) => line.includes(words(`${place.city} ${state}`)))
}
