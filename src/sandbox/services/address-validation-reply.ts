import { randomUUID } from 'node:crypto'
import { verdictFor } from '#server/lookups/address-validation/verdict.ts'
import { hasStreetShape } from '#server/lookups/offline-address-check/street-rules.ts'
import type { ZipPlace } from '#server/lookups/zip-data/look-up-zip.ts'

/** The one address that the sandbox answers with ZIP+4, as the real service does for nearly all. */
const zipPlus4 = { street: '123 main st', zip: '34236', extension: '5610' }

/** A whole reply in Google's shape. What Google would leave out (not found, false) is left out. */
export function standInReply(street: string, zip: string, place: ZipPlace | undefined) {
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
      // Not the ZIP's: nothing in the product reads them.
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
