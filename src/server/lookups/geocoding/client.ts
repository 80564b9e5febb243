import { type CallResult, parseJson } from '#server/platform/call/call.ts'
import {
  type LookupSettings,
  lookUp,
  type Unavailable,
  unavailable,
  whyUnavailable,
} from '#server/platform/call/look-up.ts'
import { countryOf } from './country-of.ts'
import { placeOf } from './place-of.ts'
import { readGeocodingReply, statusFaults } from './reply.ts'

export interface GeocodingSettings extends LookupSettings {
  /** Scheme and host, such as https://maps.googleapis.com. */
  readonly baseUrl: string
  readonly apiKey: string
}

export interface AnsweredZip {
  readonly kind: 'answered'
  /** OK or ZERO_RESULTS. */
  readonly status: string
  readonly city?: string
  /** Two letters. */
  readonly state?: string
}

/** The zip lookup is the geocoding call (reading 11). Never rejects. */
export type LookUpZipPlace = (zip: string) => Promise<AnsweredZip | Unavailable>

/** Google's Geocoding. */
export function makeGeocoding({ baseUrl, apiKey, ...settings }: GeocodingSettings): LookUpZipPlace {
  const endpoint = `${baseUrl}/maps/api/geocode/json`
  return (zip) => {
    // Without the country a bare number may match a foreign place. The ZIP is not named as a component too: Google warns
    // that a part which stands in both may find nothing. That the place found has this ZIP is checked in the reply.
    const query = `address=${encodeURIComponent(zip)}&components=country:${countryOf(zip)}&key=${encodeURIComponent(apiKey)}`
    const request = { method: 'GET', url: `${endpoint}?${query}` } as const
    return lookUp(request, (result) => readZip(result, zip), settings)
  }
}

function readZip(result: CallResult, zip: string): AnsweredZip | Unavailable {
  if (result.kind !== 'answered') return whyUnavailable(result)
  const reply = readGeocodingReply(parseJson(result.body))
  const fault = reply && statusFaults[reply.status]
  if (fault) return unavailable(fault)
  if (result.status !== 200) return whyUnavailable(result)
  if (reply === undefined) return unavailable('broken')
  const place = reply.status === 'OK' ? placeOf(reply.results, zip) : undefined
  return place
    ? { kind: 'answered', status: 'OK', ...place }
    : { kind: 'answered', status: 'ZERO_RESULTS' }
}
