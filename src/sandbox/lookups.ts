import { randomUUID } from 'node:crypto'
import { isIPv4 } from 'node:net'
import * as v from 'valibot'
import { looksLikeStreetLine, lookUpZip, type ZipEntry } from '#domain/enquiry/street-line.ts'
import { makeGeocodingError, makeGoogleError } from './faults.ts'

const requestSchema = v.object({
  address: v.object({ addressLines: v.pipe(v.array(v.string()), v.minLength(1)) }),
})

/** Returns the address in one line; empty if the request is invalid. */
export function readAddressLine(body: unknown): string {
  const request = v.safeParse(requestSchema, body)
  return request.success ? request.output.address.addressLines.join(' ').trim() : ''
}

/** Stands in for Google's Address Validation. @param line street and ZIP in one line */
export async function validateAddress(line: string): Promise<Response> {
  if (line === '')
    return new Response(makeGoogleError(400, 'INVALID_ARGUMENT').body, { status: 400 })
  const [found, zip = ''] = /\b(\d{5})(?:-\d{4})?$/.exec(line) ?? ['']
  const street = line.slice(0, line.length - found.length).trim()
  const result = makeValidationResult(street, zip, await lookUpZip(zip))
  return Response.json({ result, responseId: randomUUID() })
}

/** Words such as FIX in the street select the verdict. Like Google, this function omits missing and false values. */
function makeValidationResult(street: string, zip: string, place: ZipEntry | undefined) {
  const words = street.toUpperCase().split(/\W+/)
  const isUsual = looksLikeStreetLine(street)
  const isPartlyFound = isUsual || (/\d/.test(street) && /\p{L}{2}/u.test(street))
  const isStreet = place !== undefined && isPartlyFound && !words.includes('FIX')
  const isKnown = isStreet && isUsual && !words.includes('UNKNOWN')
  const isReplaced = isKnown && words.includes('REPLACE')
  const isUnitMissing = isKnown && words.includes('NOUNIT')
  const line = isReplaced ? street.replace(/\bREPLACE\b/gi, 'Replaced') : street
  const corrected = isReplaced ? { replaced: true, spellCorrected: true } : {}
  const missing = [
    ...(isStreet ? [] : ['street_number', 'route']),
    ...(place ? [] : ['locality', 'administrative_area_level_1', 'postal_code']),
    ...(isUnitMissing ? ['subpremise'] : []),
  ]
  // Google returns a ZIP+4 for nearly all addresses, but the sandbox for this address only.
  const hasZipPlus4 = `${street} ${zip}`.toLowerCase() === '123 main st 34236'
  return {
    verdict: {
      possibleNextAction: chooseNextAction(words, { isKnown, isReplaced, isUnitMissing }),
      ...(isKnown && !isUnitMissing ? { addressComplete: true } : {}),
      ...(isReplaced ? { hasReplacedComponents: true, hasSpellCorrectedComponents: true } : {}),
    },
    address: {
      postalAddress: {
        regionCode: 'US',
        languageCode: 'en',
        ...(place && {
          postalCode: hasZipPlus4 ? `${zip}-5610` : zip,
          administrativeArea: place.state,
          locality: place.city,
        }),
        ...(isStreet ? { addressLines: [line] } : {}),
      },
      addressComponents: [
        ...(isStreet ? [{ ...makeComponent('route', line), ...corrected }] : []),
        ...(place
          ? [makeComponent('locality', place.city), makeComponent('postal_code', zip)]
          : []),
      ],
      ...(missing.length > 0 ? { missingComponentTypes: missing } : {}),
    },
  }
}

function chooseNextAction(
  words: readonly string[],
  found: Readonly<Record<'isKnown' | 'isReplaced' | 'isUnitMissing', boolean>>,
): string {
  if (!found.isKnown) return 'FIX'
  if (found.isReplaced || words.includes('CONFIRM')) return 'CONFIRM'
  return found.isUnitMissing ? 'CONFIRM_ADD_SUBPREMISES' : 'ACCEPT'
}

const makeComponent = (componentType: string, text: string) => ({
  componentName: { text, languageCode: 'en' },
  componentType,
  confirmationLevel: 'CONFIRMED',
})

/** Stands in for Google's Geocoding. */
export async function geocode(zip: string): Promise<Response> {
  if (zip === '') return new Response(makeGeocodingError('INVALID_REQUEST').body, { status: 400 })
  const place = await lookUpZip(zip)
  if (place === undefined) return Response.json({ results: [], status: 'ZERO_RESULTS' })
  const { city, state } = place
  const makePlaceComponent = (long_name: string, short_name: string, type: string) => ({
    long_name,
    short_name,
    types: [type, 'political'],
  })
  const result = {
    address_components: [
      { long_name: zip, short_name: zip, types: ['postal_code'] },
      makePlaceComponent(city, city, 'locality'),
      makePlaceComponent(state, state, 'administrative_area_level_1'),
      makePlaceComponent('United States', 'US', 'country'),
    ],
    formatted_address: `${city}, ${state} ${zip}, USA`,
    types: ['postal_code'],
  }
  return Response.json({ results: [result], status: 'OK' })
}

/**
 * Stands in for the IP geolocation service, and finds every IPv4 address in Sarasota. Like the real service, the
 * sandbox finds no IPv6 addresses. It finds no addresses in TEST-NET-1 (RFC 5737) either.
 */
export function locateIp(ip: string): Response {
  const address = ip.replace(/^::ffff:/, '')
  const isKnown = isIPv4(address) && !address.startsWith('192.0.2.')
  const orNotFound = (value: string) => (isKnown ? value : 'Not found')
  return Response.json({
    country_code: orNotFound('US'),
    city: orNotFound('Sarasota'),
    IPv4: orNotFound(address),
    state: orNotFound('Florida'),
  })
}
