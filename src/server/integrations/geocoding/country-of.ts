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

/** Each of them, and the US itself. */
export const zipCountries: ReadonlySet<string> = new Set([
  'US',
  ...elsewhere.map(([, country]) => country),
])

/** ISO 3166-1 code of the country that Google has a US ZIP code in. */
export function countryOf(zip: string): string {
  // Palau's two stand among Guam's.
  const found = elsewhere.findLast(([zips]) => zips.test(zip))
  return found ? found[1] : 'US'
}
