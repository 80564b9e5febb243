import { hasUsZips, stateIn } from './country-of.ts'
import type { GeocodingResult } from './reply.ts'

/** Where the ZIP has no city of its own, what its people call the place; the first that is there serves. */
const cityTypes = [
  'locality',
  'postal_town',
  'sublocality',
  'neighborhood',
  'administrative_area_level_3',
]

/** City and state of the first result that is in the US and for this ZIP; undefined where none is. */
export function placeOf(
  results: readonly GeocodingResult[],
  zip: string,
): { city?: string; state?: string } | undefined {
  const result = results.find((candidate) => isFor(candidate, zip))
  if (result === undefined) return undefined
  const city =
    cityTypes.map((type) => component(result, type)?.long_name).find((name) => name) ??
    result.postcode_localities?.[0]
  const state = stateIn(
    countryOf(result),
    component(result, 'administrative_area_level_1')?.short_name,
  )
  return { ...(city ? { city } : {}), ...(state ? { state } : {}) }
}

const isFor = (result: GeocodingResult, zip: string): boolean =>
  hasUsZips(countryOf(result)) && component(result, 'postal_code')?.long_name === zip

/** The country was asked for, so a result may leave it out. */
const countryOf = (result: GeocodingResult): string =>
  component(result, 'country')?.short_name ?? 'US'

const component = (result: GeocodingResult, type: string) =>
  result.address_components.find(({ types }) => types.includes(type))
