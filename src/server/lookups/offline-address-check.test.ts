import { pino } from 'pino'
import realAddresses from 'rrad/addresses-us-all.min.json' with { type: 'json' }
import { expect, test, vi } from 'vitest'
import { checkAddress } from '#domain/enquiry/address.ts'
import { asSent } from '#tests/enquiry/as-sent.ts'
import { type AddressValidator, makeAddressServices } from './address-validation.ts'
import type { ZipPlaceLookup } from './geocoding.ts'
import { makeLookupFailure } from './lookup-service.ts'
import {
  containsZipOrCityAndState,
  geocodeOffline,
  validateAddressOffline,
  withOfflineMilitaryAddresses,
  withOfflineMilitaryZips,
} from './offline-address-check.ts'

const sarasotaZip = { city: 'Sarasota', state: 'FL', stateName: 'FLORIDA' }

test.each([
  '123 Main St 34236',
  '123 Main St, Sarasota, FL',
  '123 Main St Sarasota Florida',
  '123 main st sarasota fl',
  '123 Main St 34236-5610',
])('%s contains a city or ZIP', (street) => {
  expect(containsZipOrCityAndState(street, '34236', sarasotaZip)).toBe(true)
})

test.each([
  '123 Main St',
  '123 Sarasota Ave',
  '123 Florida St',
  '34236 Ranch Rd',
  '134236 Ranch Rd',
])('%s does not', (street) => {
  expect(containsZipOrCityAndState(street, '34236', sarasotaZip)).toBe(false)
})

const sarasota = { postalCode: '34236', administrativeArea: 'FL', locality: 'Sarasota' }

test('a known ZIP and an unknown ZIP', async () => {
  expect(await geocodeOffline('34236')).toEqual({
    kind: 'answered',
    status: 'OK',
    city: 'Sarasota',
    state: 'FL',
  })
  expect(await geocodeOffline('99999')).toEqual({ kind: 'answered', status: 'ZERO_RESULTS' })
})

test.each<[string, string, object, ('street-unknown' | undefined)?]>([
  ['123  Main St ', '34236', sarasota],
  ['Main St', '34236', sarasota, 'street-unknown'],
  ['123 Main St, Sarasota, Florida', '34236', sarasota, 'street-unknown'],
  ['123 Main St 34236', '34236', sarasota, 'street-unknown'],
  ['P.O. Box No. 7', '34236', sarasota, 'street-unknown'],
  ['Rear, 14 Elm St', '34236', sarasota, 'street-unknown'],
  ['S 902 County Rd', '34236', sarasota, 'street-unknown'],
  ['123 Main St', '00000', {}],
])('%s in %s', async (street, zip, place, ...doubts) => {
  expect(await validateAddressOffline(street, zip)).toEqual({
    kind: 'answered',
    postalAddress: { ...place, addressLines: [street.trim().replace('  ', ' ')] },
    doubts,
  })
})

test('each of 3,219 real addresses passes, after a question if it has no house number', async () => {
  const services = makeAddressServices({
    lookUpZip: geocodeOffline,
    validateAddress: validateAddressOffline,
    log: pino({ enabled: false }),
  })
  const streets = new Map(realAddresses.addresses.map((real) => [real.address1, real.postalCode]))
  const questioned: string[] = []
  for (const [street, zip] of streets) {
    const found = await checkAddress(services, street, zip)
    expect(found, street).toMatchObject({ kind: 'verified' })
    if ('question' in found && found.question?.isStreetUnknown) questioned.push(street)
  }
  expect(questioned).toEqual([...streets.keys()].filter((street) => !/\d/.test(street)))
  expect([streets.size, questioned.length]).toEqual([3219, 34])
})

const nothing = { kind: 'answered', status: 'ZERO_RESULTS' } as const
const noAddress = { kind: 'answered', postalAddress: {}, doubts: [] } as const

test.each([
  ['09012', { kind: 'answered', status: 'OK', city: 'APO', state: 'AE' }],
  ['34035', { kind: 'answered', status: 'OK', city: 'DPO', state: 'AA' }],
  ['96601', { kind: 'answered', status: 'OK', city: 'FPO', state: 'AP' }],
  ['34000', nothing],
  ['34236', nothing],
  ['90210', nothing],
])('where the service finds nothing for %s', async (zip, place) => {
  const lookUp: ZipPlaceLookup = async () => nothing
  expect(await withOfflineMilitaryZips(lookUp)(zip)).toEqual(place)
})

test('returns the service’s places and failures unchanged', async () => {
  const place = { kind: 'answered', status: 'OK', city: 'Ramstein', state: 'AE' } as const
  expect(await withOfflineMilitaryZips(async () => place)('09012')).toBe(place)
  const down = makeLookupFailure('down')
  expect(await withOfflineMilitaryZips(async () => down)('09012')).toBe(down)
  expect(await withOfflineMilitaryAddresses(async () => down)('PSC 3 BOX 4120', '09012')).toBe(down)
})

test('a military box that the service does not know is accepted by its shape', async () => {
  const validate = vi.fn<AddressValidator>(async () => noAddress)
  const check = withOfflineMilitaryAddresses(validate)
  expect(await check('PSC 3 BOX 4120', '09012')).toMatchObject({
    postalAddress: {
      addressLines: ['PSC 3 BOX 4120'],
      postalCode: '09012',
      administrativeArea: 'AE',
      locality: 'APO',
    },
  })
  expect(await check('Main Street', '09012')).toMatchObject({ doubts: ['street-unknown'] })
  expect(await check('PSC 3 BOX 4120', '34236')).toBe(noAddress)
  expect(validate).toHaveBeenCalledTimes(3)
})

test('a complete answer of the service is used unchanged', async () => {
  const whole = {
    kind: 'answered',
    postalAddress: { addressLines: ['x'], postalCode: '09012-4120', administrativeArea: 'AE' },
    doubts: [],
  } as const
  expect(await withOfflineMilitaryAddresses(async () => whole)('PSC 3 BOX 4120', '09012')).toBe(
    whole,
  )
})

test.each([
  ['123 Main St #4', '34236', 'FL'],
  ['123½ Elm St', '34236', 'FL'],
  ['123 1/2 Elm St', '34236', 'FL'],
  ['12-34 30th Ave Apt 5/6', '11101', 'NY'],
  ["100 O'Farrell St", '94102', 'CA'],
  ['1600 Martin Luther King Jr. Blvd', '34236', 'FL'],
  ['842 E 1700 S', '84105', 'UT'],
  ['N6W23001 Bluemound Rd', '53188', 'WI'],
  ['P.O. Box 12', '34230', 'FL'],
  ['PO BOX 7-A', '34230', 'FL'],
  ['RR 2 Box 14', '59001', 'MT'],
  ['PSC 3 Box 4120', '09021', 'AE'],
  ['CMR 415 Box 123', '09114', 'AE'],
  ['Unit 2050 Box 4190', '96278', 'AP'],
  ['USS Nimitz (CVN-68)', '96620', 'AP'],
  ['Unit 7400 Box 1', '34024', 'AA'],
  ['Urb Las Gladiolas 150 Calle A', '00926', 'PR'],
  ['Carr 102 Km 14.2', '00623', 'PR'],
  ['9100 Kronprindsens Gade', '00802', 'VI'],
  ['118 W Marine Corps Dr', '96910', 'GU'],
  ['PO Box 1234', '96799', 'AS'],
  ['1 Beach Rd', '96950', 'MP'],
  ['PO Box 1', '96941', 'FM'],
  ['PO Box 1', '96960', 'MH'],
  ['PO Box 1', '96940', 'PW'],
  ['75-5660 Palani Rd', '96740', 'HI'],
  ['15 Kalākaua Ave', '96815', 'HI'],
])('%s in %s is found offline, and sent with the state %s', async (street, zip, state) => {
  const found = await validateAddressOffline(street, zip)
  expect(found).toMatchObject({
    postalAddress: { addressLines: [street], administrativeArea: state },
  })
  expect(asSent({ address: street, zip, state }).lead_address).toMatchObject({
    address: street,
    state,
    zip,
  })
})

test('a street is sent with plain spaces', () => {
  expect(asSent({ address: '\t123\u00A0 Main\tSt ' }).lead_address.address).toBe('123 Main St')
})
