import { randomUUID } from 'node:crypto'
import { isIPv4 } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import * as v from 'valibot'
import { stateName } from '#domain/enquiry/state-code.ts'
import { lookUpZip, type ZipPlace } from '#server/lookups/look-up-zip.ts'
import { hasStreetShape } from '#server/lookups/offline-address-check.ts'
import { verdictFor } from './address-verdicts.ts'

/** The only address with a ZIP+4 here; the real service returns one for nearly all. */
const zipPlus4 = { street: '123 main st', zip: '34236', extension: '5610' }

/** A complete reply in Google's shape, which leaves out what is not found or false. */
export function validationReply(street: string, zip: string, place: ZipPlace | undefined) {
  const {
    verdict,
    isFound = true,
    replaced,
    isUnitMissing,
    unconfirmed = [],
  } = verdictFor(street, place !== undefined)
  const line = replaced ? street.replace(...replaced) : street
  const isStreet = hasStreetShape(street) && isFound
  const missingTypes = [
    ...missing(isStreet, place),
    ...(isUnitMissing && isStreet ? ['subpremise'] : []),
  ]
  const extension = isZipPlus4(street, zip) ? zipPlus4.extension : undefined
  const where = place && {
    postalCode: extension ? `${zip}-${extension}` : zip,
    administrativeArea: place.state,
    locality: place.city,
  }
  const cityLine = place ? `${place.city}, ${place.state} ${where?.postalCode}` : ''
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
          ...(isStreet ? streetComponents(line, unconfirmed, replaced !== undefined) : []),
          ...(place
            ? [
                { ...component('locality', place.city), inferred: true },
                { ...component('administrative_area_level_1', place.state), inferred: true },
                component('postal_code', zip),
              ]
            : []),
          component('country', 'USA'),
        ],
        ...(missingTypes.length > 0 ? { missingComponentTypes: missingTypes } : {}),
        ...(unconfirmed.length > 0 ? { unconfirmedComponentTypes: unconfirmed } : {}),
      },
      // Made up: the product doesn't read them.
      geocode: { location: { latitude: 27.33, longitude: -82.54 }, placeId: `sandbox-${zip}` },
      metadata: { residential: true },
      ...(isStreet && place
        ? {
            uspsData: {
              standardizedAddress: {
                firstAddressLine: line.toUpperCase(),
                city: place.city.toUpperCase(),
                state: place.state,
                zipCode: zip,
                ...(extension ? { zipCodeExtension: extension } : {}),
              },
              dpvConfirmation: isUnitMissing ? 'D' : 'Y',
            },
          }
        : {}),
    },
    responseId: randomUUID(),
  }
}

const isZipPlus4 = (street: string, zip: string) =>
  street.toLowerCase() === zipPlus4.street && zip === zipPlus4.zip

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

const missing = (isStreet: boolean, place: ZipPlace | undefined) => [
  ...(isStreet ? [] : ['street_number', 'route']),
  ...(place ? [] : ['locality', 'administrative_area_level_1', 'postal_code']),
]

export interface GoogleError {
  /** Also the HTTP status. */
  readonly code: number
  readonly status: string
  readonly reason?: string
}

/** An error in the shape of every Google API. */
export function errorReply({ code, status, reason }: GoogleError): Response {
  const details = reason && [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason,
      domain: 'googleapis.com',
      metadata: { service: 'addressvalidation.googleapis.com' },
    },
  ]
  const error = { code, message: `Sandbox: ${status}`, status, ...(details ? { details } : {}) }
  return Response.json({ error }, { status: code })
}

const requestSchema = v.object({
  address: v.object({ addressLines: v.pipe(v.array(v.string()), v.minLength(1)) }),
})

/** Faults by ZIP, the same as for geocoding. */
const zipFaults: Readonly<Record<string, GoogleError>> = {
  '99999': { code: 429, status: 'RESOURCE_EXHAUSTED', reason: 'RATE_LIMIT_EXCEEDED' },
  '99998': { code: 403, status: 'PERMISSION_DENIED', reason: 'SERVICE_DISABLED' },
  '99997': { code: 503, status: 'UNAVAILABLE' },
}

/** Plays Google's Address Validation. Accepts every key except `Sandbox-Invalid-Key`. */
export function addressValidationStandIn() {
  const app = new Hono()
  app.post('/v1:validateAddress', async (c) => {
    if (c.req.query('key') === 'Sandbox-Invalid-Key') {
      return errorReply({ code: 400, status: 'INVALID_ARGUMENT', reason: 'API_KEY_INVALID' })
    }
    const request = v.safeParse(requestSchema, await c.req.json().catch(() => undefined))
    if (!request.success) return errorReply({ code: 400, status: 'INVALID_ARGUMENT' })
    const line = request.output.address.addressLines.join(' ').trim()
    const { street, zip } = parted(line)
    const fault = zipFaults[zip]
    if (fault) return errorReply(fault)
    return c.json(validationReply(street, zip, await lookUpZip(zip)))
  })
  return app
}

/** Street and ZIP, as our own client puts them into one line. */
function parted(line: string): { readonly street: string; readonly zip: string } {
  const [found, zip = ''] = /\b(\d{5})(?:-\d{4})?$/.exec(line) ?? ['']
  return { street: line.slice(0, line.length - found.length).trim(), zip }
}

/** Plays Google's Geocoding for ZIP codes. Accepts every key except `Sandbox-Invalid-Key`. */
export function geocodingStandIn() {
  const app = new Hono()
  app.get('/maps/api/geocode/json', async (c) => {
    const { address: zip, key } = c.req.query()
    if (key === 'Sandbox-Invalid-Key') {
      return c.json(failure('REQUEST_DENIED', 'The provided API key is invalid.'))
    }
    if (!zip) return c.json(failure('INVALID_REQUEST', 'The address is missing.'), 400)
    if (zip === '99999') return c.json(failure('OVER_QUERY_LIMIT', 'Over the query limit.'))
    if (zip === '99998') return c.json(failure('REQUEST_DENIED', 'This key is not authorized.'))
    if (zip === '99997') return c.json(failure('UNKNOWN_ERROR', 'The server is down.'), 503)
    const place = await lookUpZip(zip)
    if (place === undefined) return c.json({ results: [], status: 'ZERO_RESULTS' })
    return c.json({
      results: [geocodingResult(zip, place, stateName(place.state) ?? place.state)],
      status: 'OK',
    })
  })
  return app
}

const failure = (status: string, error_message: string) => ({ error_message, results: [], status })

function geocodingResult(zip: string, { city, state }: ZipPlace, stateInFull: string) {
  // Made up: the product doesn't read them.
  const location = { lat: 27.3, lng: -82.5 }
  return {
    address_components: [
      { long_name: zip, short_name: zip, types: ['postal_code'] },
      { long_name: city, short_name: city, types: ['locality', 'political'] },
      {
        long_name: titleCase(stateInFull),
        short_name: state,
        types: ['administrative_area_level_1', 'political'],
      },
      { long_name: 'United States', short_name: 'US', types: ['country', 'political'] },
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

const titleCase = (text: string) =>
  text.length === 2
    ? text
    : text.toLowerCase().replace(/\b[a-z]/g, (letter) => letter.toUpperCase())

/** Addresses in TEST-NET-1 (RFC 5737) count as unknown. */
const unknownRange = /^192\.0\.2\./

/** Plays the IP geolocation service. Every known address is in Sarasota. */
export function ipLookupStandIn() {
  const app = new Hono<{ Bindings: HttpBindings }>()
  app.get('/json/:ip', (c) => c.json(ipReply(c.req.param('ip').replace(/^::ffff:/, ''))))
  app.get('/json/', (c) => c.json(ipReply(c.env.incoming.socket.remoteAddress ?? '')))
  return app
}

function ipReply(ip: string) {
  // The real service has no IPv4 for an IPv6 address either.
  const known = isIPv4(ip) && !unknownRange.test(ip)
  const say = (value: string | number) => (known ? value : 'Not found')
  return {
    country_code: say('US'),
    country_name: say('United States'),
    city: say('Sarasota'),
    postal: say('34236'),
    latitude: say(27.3269),
    longitude: say(-82.5433),
    IPv4: say(ip),
    state: say('Florida'),
  }
}
