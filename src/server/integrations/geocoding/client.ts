import { call } from '../call.ts'
import { parseJson } from '../parse-json.ts'
import { faultOf, type Unavailable, unavailable } from '../unavailable.ts'
import { placeOf } from './place-of.ts'
import { readGeocodingReply, statusFaults } from './reply.ts'

export interface GeocodingSettings {
  /** Scheme and host, such as https://maps.googleapis.com. */
  readonly baseUrl: string
  readonly apiKey: string
  /** Milliseconds. */
  readonly timeoutMs: number
}

export interface AnsweredZip {
  readonly kind: 'answered'
  /** OK or ZERO_RESULTS. */
  readonly status: string
  readonly city?: string
  /** Two letters. */
  readonly state?: string
}

/** Form call 1 of section 7: the zip lookup is the geocoding call (ruling 11). Never rejects. */
export type LookUpZipPlace = (zip: string) => Promise<AnsweredZip | Unavailable>

/** Google's Geocoding: third-party call 4 of section 7. */
export function makeGeocoding({ baseUrl, apiKey, timeoutMs }: GeocodingSettings): LookUpZipPlace {
  const endpoint = `${baseUrl.replace(/\/+$/, '')}/maps/api/geocode/json`
  return async (zip) => {
    // Without the country a bare number may match a foreign place.
    const query = `address=${encodeURIComponent(zip)}&components=country:US&key=${encodeURIComponent(apiKey)}`
    const result = await call({ method: 'GET', url: `${endpoint}?${query}`, timeoutMs })
    if (result.kind !== 'answered' || result.status !== 200) return faultOf(result)
    const reply = readGeocodingReply(parseJson(result.body))
    if (reply === undefined) return unavailable('broken')
    const fault = statusFaults[reply.status]
    if (fault) return unavailable(fault)
    const place = reply.status === 'OK' ? placeOf(reply.results, zip) : undefined
    return place
      ? { kind: 'answered', status: 'OK', ...place }
      : { kind: 'answered', status: 'ZERO_RESULTS' }
  }
}
