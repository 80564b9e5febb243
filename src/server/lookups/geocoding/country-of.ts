/**
 * Territories and associated states whose mail goes by US ZIP codes: to Google each is a country of its own, and the US
 * without them. Prefixes from the Postal Service's Publication 65.
 */
const elsewhere: readonly (readonly [RegExp, string])[] = [
  [/^00[679]/, 'PR'],
  [/^008/, 'VI'],
  [/^96799$/, 'AS'],
  [/^969[123]/, 'GU'],
  [/^9695/, 'MP'],
  [/^969(39|40)$/, 'PW'],
  [/^9694[1-4]$/, 'FM'],
  [/^969[67]/, 'MH'],
]

const countriesElsewhere: ReadonlySet<string> = new Set(elsewhere.map(([, country]) => country))

/** Whether US ZIP codes lie in a country, by its ISO 3166-1 code. */
export const hasUsZips = (country: string): boolean =>
  country === 'US' || countriesElsewhere.has(country)

/**
 * The state as US mail writes it. What Google has for one elsewhere is a part of the island, or nothing: there the
 * country's code is the state's (Publication 28, appendix B).
 * @param found what Google has for a state
 */
export const stateIn = (country: string, found: string | undefined): string | undefined =>
  countriesElsewhere.has(country) ? country : found

/** ISO 3166-1 code of the country that Google has a US ZIP code in. */
export function countryOf(zip: string): string {
  // Palau's two stand among Guam's.
  const found = elsewhere.findLast(([zips]) => zips.test(zip))
  return found ? found[1] : 'US'
}
