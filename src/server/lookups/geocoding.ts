import * as v from 'valibot'
import type { CityAndState, ZipLookup } from '#domain/enquiry/address.ts'
import { type CallResult, parseJson } from '#server/platform/call/http-call.ts'
import {
  callLookupService,
  classifyFailure,
  type LookupFailure,
  type LookupFailureReason,
  type LookupSettings,
  makeLookupFailure,
} from './lookup-service.ts'

const componentSchema = v.object({
  long_name: v.string(),
  short_name: v.string(),
  types: v.array(v.string()),
})

const resultSchema = v.object({
  address_components: v.array(componentSchema),
  postcode_localities: v.optional(v.array(v.string())),
})

type GeocodingResult = v.InferOutput<typeof resultSchema>

/** Google reports most faults in `status`, with HTTP 200. */
const statusFaults: Readonly<Record<string, LookupFailureReason>> = {
  // The cause is the key, the billing or the operator's quota, which only the operator can fix.
  OVER_DAILY_LIMIT: 'refused-key',
  OVER_QUERY_LIMIT: 'quota',
  REQUEST_DENIED: 'refused-key',
  INVALID_REQUEST: 'bad-request',
  UNKNOWN_ERROR: 'down',
}

const replySchema = v.object({
  status: v.pipe(
    v.string(),
    v.toUpperCase(),
    v.picklist(['OK', 'ZERO_RESULTS', ...Object.keys(statusFaults)]),
  ),
  results: v.optional(v.array(resultSchema), []),
})

/** Google treats these territories as countries. The ZIP prefixes are from the Postal Service's Publication 65. */
const territories: readonly (readonly [RegExp, string])[] = [
  [/^00[679]/, 'PR'],
  [/^008/, 'VI'],
  [/^96799$/, 'AS'],
  [/^969[123]/, 'GU'],
  [/^9695/, 'MP'],
  [/^969(39|40)$/, 'PW'],
  [/^9694[1-4]$/, 'FM'],
  [/^969[67]/, 'MH'],
]

const territoryCountries: ReadonlySet<string> = new Set(territories.map(([, country]) => country))

/** In a US territory, Google finds no state or an island's part; mail needs the territory's code (Publication 28). */
export const choosePostalState = (
  country: string,
  found: string | undefined,
): string | undefined => (territoryCountries.has(country) ? country : found)

/** The ISO 3166-1 code of the country to which Google assigns a US ZIP code. */
function findCountry(zip: string): string {
  // Palau's ZIP code 96939 lies within Guam's range, so the last match counts.
  const found = territories.findLast(([zips]) => zips.test(zip))
  return found ? found[1] : 'US'
}

/** Components that may name the city, in order of preference. The later types are for ZIP codes without a city. */
const cityTypes = [
  'locality',
  'postal_town',
  'sublocality',
  'neighborhood',
  'administrative_area_level_3',
]

/** Returns city and state of the first result in the USA with the ZIP code; undefined without such a result. */
export function findPlaceOfZip(
  results: readonly GeocodingResult[],
  zip: string,
): CityAndState | undefined {
  const result = results.find((candidate) => isInZip(candidate, zip))
  if (result === undefined) return undefined
  const city =
    cityTypes.map((type) => findComponent(result, type)?.long_name).find((name) => name) ??
    result.postcode_localities?.[0]
  const state = choosePostalState(
    findResultCountry(result),
    findComponent(result, 'administrative_area_level_1')?.short_name,
  )
  return { ...(city ? { city } : {}), ...(state ? { state } : {}) }
}

function isInZip(result: GeocodingResult, zip: string): boolean {
  const country = findResultCountry(result)
  const hasUsZips = country === 'US' || territoryCountries.has(country)
  return hasUsZips && findComponent(result, 'postal_code')?.long_name === zip
}

/** Google may omit the country from a result, because the request names the country. */
const findResultCountry = (result: GeocodingResult): string =>
  findComponent(result, 'country')?.short_name ?? 'US'

const findComponent = (result: GeocodingResult, type: string) =>
  result.address_components.find(({ types }) => types.includes(type))

export interface GoogleSettings extends LookupSettings {
  /** The service's URL without a trailing slash, such as https://maps.googleapis.com. */
  readonly baseUrl: string
  readonly apiKey: string
}

/** The answer to a lookup, with the status OK or ZERO_RESULTS. */
type GeocodedZip = ZipLookup & { readonly kind: 'answered' }

/** Looks up the place of a ZIP code with the geocoding service (reading 11). Never rejects. */
export type ZipPlaceLookup = (zip: string) => Promise<GeocodedZip | LookupFailure>

export function makeGeocoding({ baseUrl, apiKey, ...settings }: GoogleSettings): ZipPlaceLookup {
  const endpoint = `${baseUrl}/maps/api/geocode/json`
  return (zip) => {
    // The request names the country, because a bare number may match a foreign place. It does not name the ZIP as a
    // component, too, because Google warns that a repeated part may find nothing.
    const query = `address=${encodeURIComponent(zip)}&components=country:${findCountry(zip)}&key=${encodeURIComponent(apiKey)}`
    const request = { method: 'GET', url: `${endpoint}?${query}` } as const
    return callLookupService(request, (result) => parseGeocoding(result, zip), settings)
  }
}

function parseGeocoding(result: CallResult, zip: string): GeocodedZip | LookupFailure {
  if (result.kind !== 'answered') return classifyFailure(result)
  const reply = v.safeParse(replySchema, parseJson(result.body))
  const fault = reply.success ? statusFaults[reply.output.status] : undefined
  if (fault) return makeLookupFailure(fault)
  if (result.status !== 200) return classifyFailure(result)
  if (!reply.success) return makeLookupFailure('broken')
  const { status, results } = reply.output
  const place = status === 'OK' ? findPlaceOfZip(results, zip) : undefined
  return place
    ? { kind: 'answered', status: 'OK', ...place }
    : { kind: 'answered', status: 'ZERO_RESULTS' }
}
