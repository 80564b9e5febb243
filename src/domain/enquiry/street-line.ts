/** Patterns of delivery addresses without house number and street name (Publication 28 of the Postal Service). */
const unusualStreets = [
  // Numbered boxes of post offices, rural routes, highway contract routes, star routes, military units and campuses.
  /\b(box|p\.? ?o\.? ?b|apartado|bu[zs]on|buzón|bzn|caller|drawer|cpo) ?#? ?\w*\d/i,
  // Post office boxes with one or two letters instead of a number.
  /^p\.? ?o\.? ?box #?[a-z]{1,2}$/i,
  /^general delivery$/i,
  // Navy and Coast Guard ships.
  /^(uss|usns|uscgc?) \p{L}{2}/iu,
  // Addresses in Puerto Rico and the Virgin Islands. An urbanization or estate comes before the number, some streets
  // have only a name, and roads have kilometers.
  /^(urb|urbanizaci[oó]n|cond|condominio|edif|edificio|ext|extensi[oó]n|parc|parcelas|res|residencial|barrio|bo|sector|jard|jardines|villas?|calle|carr|carretera|ave|avenida|estate)\.? .*\d/iu,
]

/** Matches a unit, or “care of” and a name, in front of the house number. */
const beforeNumber =
  /^(#|(?:apt|apartment|suite|ste|unit|rm|room|fl|floor|pmb|trlr|trailer)\b\.? ?#?) ?[\w-]+,? |^c\/o \D+/i

/**
 * Matches a house number such as 12, 12B, 12-34 in Queens, 12 1/2, 12½, or Wisconsin's N6W23001 and W180 N8000, but not
 * the ordinal of "5th Avenue". Where houses have no numbers, the pattern matches the number of a plot, a mile or a
 * berth.
 */
const houseNumber =
  /^(?:# ?|(?:no|house|lot|plot|bldg|building|mile|mm|slip|pier|spc|space)\.? ?#? ?)?(?!\d+(?:st|nd|rd|th)\b)(?:[nsew]\d+ ?(?=[nsew]\d))?(?:[a-z]-?)?\d[\w/.\p{No}-]*(?: (?:\d\/\d|\p{No}))?,? /iu

/** Matches a house number in words up to ninety-nine, as in "One Penn Plaza" or "Twenty-One Main St". */
const numberWord =
  /^(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-\w+)?) /i

/** Matches a street's name: two or more letters ("12 B" is a number and a unit), or two directions as in Utah. */
const streetName = /\p{L}.*\p{L}/u

const hasNumberAndName = (line: string) =>
  [houseNumber, numberWord].some(
    (number) => number.test(line) && streetName.test(line.replace(number, '')),
  )

/** Returns whether the line could be a street address: a number and a name, or a delivery address such as a box. */
export function looksLikeStreetLine(street: string): boolean {
  // On a long run of spaces, the patterns would take quadratic time.
  const line = street.trim().replace(/\s+/g, ' ')
  return (
    hasNumberAndName(line) ||
    hasNumberAndName(line.replace(beforeNumber, '')) ||
    unusualStreets.some((rule) => rule.test(line))
  )
}

export interface ZipEntry {
  readonly city: string
  /** The state's two letters. */
  readonly state: string
}

/** Finds the city and state of a ZIP code in npm's `zipcodes`. The first call loads 5 MB of data in about 0.2 s. */
export async function lookUpZip(zip: string): Promise<ZipEntry | undefined> {
  if (!/^\d{5}$/.test(zip)) return undefined
  const { codes } = await import('zipcodes/lib/codes.js')
  const entry = codes[zip]
  if (entry === undefined) return undefined
  const { city, state } = entry
  // People write military post offices as initials (APO, FPO, DPO), but the data spells them as names.
  return { city: militaryStates.has(state) ? city.toUpperCase() : city, state }
}

const militaryStates: ReadonlySet<string> = new Set(['AA', 'AE', 'AP'])

/** Finds the place of a military ZIP code (340 AA, 090–098 AE, 962–966 AP). Other ZIP codes don't load the data. */
export async function lookUpMilitaryZip(zip: string): Promise<ZipEntry | undefined> {
  if (!/^(340|09[0-8]|96[2-6])/.test(zip)) return undefined
  const place = await lookUpZip(zip)
  return place && militaryStates.has(place.state) ? place : undefined
}
