/** Patterns of delivery addresses without house number and street name (Publication 28 of the Postal Service). */
const unusualStreets = [
  // A numbered box of a post office, a rural, highway contract or star route, a military unit or a campus.
  /\b(box|p\.? ?o\.? ?b|apartado|bu[zs]on|buzón|bzn|caller|drawer|cpo) ?#? ?\w*\d/i,
  // A post office box named by letters.
  /^p\.? ?o\.? ?box #?[a-z]{1,2}$/i,
  /^general delivery$/i,
  // Navy and Coast Guard ships.
  /^(uss|usns|uscgc?) \p{L}{2}/iu,
  // Addresses in Puerto Rico and the Virgin Islands: an urbanization or estate comes before the number, a street may have
  // a name only, a road has kilometers.
  /^(urb|urbanizaci[oó]n|cond|condominio|edif|edificio|ext|extensi[oó]n|parc|parcelas|res|residencial|barrio|bo|sector|jard|jardines|villas?|calle|carr|carretera|ave|avenida|estate)\.? .*\d/iu,
]

/** Matches a unit, or “care of” and a name, before the house number. */
const beforeNumber =
  /^(#|(?:apt|apartment|suite|ste|unit|rm|room|fl|floor|pmb|trlr|trailer)\b\.? ?#?) ?[\w-]+,? |^c\/o \D+/i

/**
 * A house number: 12, 12B, 12-34 in Queens, 12 1/2, 12½, Wisconsin's N6W23001 and W180 N8000; not the ordinal of "5th
 * Avenue". Where houses have no numbers, the number of a plot, a mile or a berth matches.
 */
const houseNumber =
  /^(?:# ?|(?:no|house|lot|plot|bldg|building|mile|mm|slip|pier|spc|space)\.? ?#? ?)?(?!\d+(?:st|nd|rd|th)\b)(?:[nsew]\d+ ?(?=[nsew]\d))?(?:[a-z]-?)?\d[\w/.\p{No}-]*(?: (?:\d\/\d|\p{No}))?,? /iu

/** A house number in words up to ninety-nine: "One Penn Plaza", "Twenty-One Main St". */
const numberWord =
  /^(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-\w+)?) /i

/** A street's name has two or more letters ("12 B" is a number and a unit), or two directions as in Utah. */
const streetName = /\p{L}.*\p{L}/u

const hasNumberAndName = (line: string) =>
  [houseNumber, numberWord].some(
    (number) => number.test(line) && streetName.test(line.replace(number, '')),
  )

/** Returns whether the line could be a street address: a number and a name, or for example a box. */
export function looksLikeStreetLine(street: string): boolean {
  // On a long run of spaces, the patterns would take quadratic time.
  const line = street.trim().replace(/\s+/g, ' ')
  return (
    hasNumberAndName(line) ||
    hasNumberAndName(line.replace(beforeNumber, '')) ||
    unusualStreets.some((rule) => rule.test(line))
  )
}
