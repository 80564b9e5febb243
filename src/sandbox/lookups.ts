import { randomUUID } from 'node:crypto'
import { isIPv4 } from 'node:net'
import * as v from 'valibot'
import { stateName } from '#domain/enquiry/state-code.ts'
import { hasStreetShape } from '#domain/enquiry/street-shape.ts'
import { lookUpZip, type ZipPlace } from '#domain/enquiry/zip-place.ts'
import { geocodingError, googleError } from './faults.ts'

const requestSchema = v.object({
  address: v.object({ addressLines: v.pipe(v.array(v.string()), v.minLength(1)) }),
})

/** Returns the requested address in one line; empty if the request is invalid. */
export function addressIn(body: unknown): string {
  const request = v.safeParse(requestSchema, body)
  return request.success ? request.output.address.addressLines.join(' ').trim() : ''
}

const reply = ({ status, body }: { readonly status: number; readonly body: string }) =>
  new Response(body, { status, headers: { 'content-type': 'application/json' } })

/** Stands in for Google's Address Validation. @param line street and ZIP, as our own client joins them */
export async function validateAddress(line: string): Promise<Response> {
  if (line === '') return reply(googleError(400, 'INVALID_ARGUMENT'))
  const [found, zip = ''] = /\b(\d{5})(?:-\d{4})?$/.exec(line) ?? ['']
  const street = line.slice(0, line.length - found.length).trim()
  return Response.json(validationReply(street, zip, await lookUpZip(zip)))
}

/** The only address here that has a ZIP+4; the real service returns a ZIP+4 for nearly all addresses. */
const zipPlus4 = { line: '123 main st 34236', extension: '5610' }

/** Makes a complete reply in Google's shape, which leaves out missing and false values. */
function validationReply(street: string, zip: string, place: ZipPlace | undefined) {
  const { verdict, isFound, isReplaced, isUnitMissing, unconfirmed } = verdictFor(street, place)
  const line = isReplaced ? street.replace(/\bREPLACE\b/gi, 'Replaced') : street
  const isStreet = hasStreetShape(street) && isFound
  const missing = [
    ...(isStreet ? [] : ['street_number', 'route']),
    ...(place ? [] : ['locality', 'administrative_area_level_1', 'postal_code']),
    ...(isUnitMissing && isStreet ? ['subpremise'] : []),
  ]
  const hasZipPlus4 = `${street} ${zip}`.toLowerCase() === zipPlus4.line
  const postalCode = hasZipPlus4 ? `${zip}-${zipPlus4.extension}` : zip
  const where = place && {
    postalCode,
    administrativeArea: place.state,
    locality: place.city,
  }
  const cityLine = place ? `${place.city}, ${place.state} ${postalCode}` : ''
  const uspsData = isStreet &&
    place && {
      standardizedAddress: {
        firstAddressLine: line.toUpperCase(),
        city: place.city.toUpperCase(),
        state: place.state,
        zipCode: zip,
        ...(hasZipPlus4 ? { zipCodeExtension: zipPlus4.extension } : {}),
      },
      dpvConfirmation: isUnitMissing ? 'D' : 'Y',
    }
  return {
    result: {
      verdict,
      address: {
        formattedAddress: [isStreet ? line : '', cityLine, 'USA'].filter(Boolean).join(', '),
        postalAddress: {
          regionCode: 'US',
          languageCode: 'en',
          ...where,
          ...(isStreet ? { addressLines: [line] } : {}),
        },
        addressComponents: [
          ...(isStreet ? streetComponents(line, unconfirmed, isReplaced) : []),
          ...(place
            ? [
                { ...component('locality', place.city), inferred: true },
                { ...component('administrative_area_level_1', place.state), inferred: true },
                component('postal_code', zip),
              ]
            : []),
          component('country', 'USA'),
        ],
        ...(missing.length > 0 ? { missingComponentTypes: missing } : {}),
        ...(unconfirmed.length > 0 ? { unconfirmedComponentTypes: unconfirmed } : {}),
      },
      // These values are made up, because the product doesn't read them.
      geocode: { location: { latitude: 27.33, longitude: -82.54 }, placeId: `sandbox-${zip}` },
      metadata: { residential: true },
      ...(uspsData ? { uspsData } : {}),
    },
    responseId: randomUUID(),
  }
}

function streetComponents(line: string, unconfirmed: readonly string[], isReplaced: boolean) {
  const [number = '', ...route] = line.split(/\s+/)
  if (route.length === 0 || !/\d/.test(number)) return [component('post_box', line)]
  const flags = isReplaced ? { replaced: true, spellCorrected: true } : {}
  return [
    component('street_number', number),
    { ...component('route', route.join(' ')), ...flags },
  ].map((part) =>
    unconfirmed.includes(part.componentType)
      ? { ...part, confirmationLevel: 'UNCONFIRMED_BUT_PLAUSIBLE' }
      : part,
  )
}

const component = (componentType: string, text: string) => ({
  componentName: { text, languageCode: 'en' },
  componentType,
  confirmationLevel: 'CONFIRMED',
})

const granularity = (level: string) => ({
  inputGranularity: level,
  validationGranularity: level,
  geocodeGranularity: level,
})

const complete = { ...granularity('PREMISE'), hasInferredComponents: true, addressComplete: true }

const unknownPlace = {
  ...granularity('OTHER'),
  hasUnconfirmedComponents: true,
  possibleNextAction: 'FIX',
}

/** Determines the verdict from the words of the street. */
function verdictFor(street: string, place: ZipPlace | undefined) {
  const words = street.toUpperCase().split(/\W+/)
  const [isReplaced, isUnitMissing] = [words.includes('REPLACE'), words.includes('NOUNIT')]
  const found = { isFound: true, isReplaced, isUnitMissing, unconfirmed: [] as string[] }
  if (words.includes('FIX') || place === undefined) {
    return {
      ...found,
      verdict: unknownPlace,
      isFound: false,
      isReplaced: false,
      isUnitMissing: false,
    }
  }
  if (words.includes('UNKNOWN')) {
    const unconfirmed = ['street_number', 'route']
    return { ...found, verdict: unknownPlace, isReplaced: false, isUnitMissing: false, unconfirmed }
  }
  const { addressComplete, ...incomplete } = complete
  const base = isUnitMissing ? incomplete : { ...incomplete, addressComplete }
  if (isReplaced) {
    const corrected = { hasReplacedComponents: true, hasSpellCorrectedComponents: true }
    return { ...found, verdict: { ...base, ...corrected, possibleNextAction: 'CONFIRM' } }
  }
  if (isUnitMissing) {
    return { ...found, verdict: { ...base, possibleNextAction: 'CONFIRM_ADD_SUBPREMISES' } }
  }
  if (words.includes('CONFIRM')) {
    const verdict = {
      ...base,
      validationGranularity: 'PREMISE_PROXIMITY',
      hasUnconfirmedComponents: true,
      possibleNextAction: 'CONFIRM',
    }
    return { ...found, verdict, unconfirmed: ['street_number'] }
  }
  return { ...found, verdict: { ...base, possibleNextAction: 'ACCEPT' } }
}

export async function geocode(zip: string): Promise<Response> {
  if (zip === '') return reply(geocodingError('INVALID_REQUEST', 400))
  const place = await lookUpZip(zip)
  return Response.json(
    place === undefined
      ? { results: [], status: 'ZERO_RESULTS' }
      : { results: [geocodingResult(zip, place)], status: 'OK' },
  )
}

function geocodingResult(zip: string, { city, state }: ZipPlace) {
  const stateInFull = (stateName(state) ?? state)
    .toLowerCase()
    .replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
  // The location is made up, because the product doesn't read it.
  const location = { lat: 27.3, lng: -82.5 }
  const part = (long_name: string, short_name: string, ...types: string[]) => ({
    long_name,
    short_name,
    types,
  })
  return {
    address_components: [
      part(zip, zip, 'postal_code'),
      part(city, city, 'locality', 'political'),
      part(stateInFull, state, 'administrative_area_level_1', 'political'),
      part('United States', 'US', 'country', 'political'),
    ],
    formatted_address: `${city}, ${state} ${zip}, USA`,
    geometry: {
      location,
      location_type: 'APPROXIMATE',
      viewport: { northeast: location, southwest: location },
    },
    place_id: `sandbox-${zip}`,
    types: ['postal_code'],
  }
}

/**
 * Stands in for the IP geolocation service. Every known address is in Sarasota. Addresses in TEST-NET-1 (RFC 5737) are
 * unknown, as IPv6 addresses are: the real service has no IPv4 for them either.
 */
export function locateIp(ip: string): Response {
  const address = ip.replace(/^::ffff:/, '')
  const isKnown = isIPv4(address) && !address.startsWith('192.0.2.')
  const orNotFound = (value: string | number) => (isKnown ? value : 'Not found')
  return Response.json({
    country_code: orNotFound('US'),
    country_name: orNotFound('United States'),
    city: orNotFound('Sarasota'),
    postal: orNotFound('34236'),
    latitude: orNotFound(27.3269),
    longitude: orNotFound(-82.5433),
    IPv4: orNotFound(address),
    state: orNotFound('Florida'),
  })
}
