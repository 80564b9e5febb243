import { expect, test } from 'vitest'
import { geocodeOffline } from './geocode-offline.ts'
import { validateAddressOffline } from './validate-address-offline.ts'

const sarasota = { postalCode: '34236', administrativeArea: 'FL', locality: 'Sarasota' }

test('a ZIP of the data, and one that is not', async () => {
  expect(await geocodeOffline('34236')).toEqual({
    kind: 'answered',
    status: 'OK',
    city: 'Sarasota',
    state: 'FL',
  })
  expect(await geocodeOffline('99999')).toEqual({ kind: 'answered', status: 'ZERO_RESULTS' })
})

test.each([
  ['123  Main St ', '34236', { ...sarasota, addressLines: ['123 Main St'] }],
  ['Main St', '34236', sarasota],
  ['123 Main St, Sarasota, Florida', '34236', sarasota],
  ['123 Main St 34236', '34236', sarasota],
  ['123 Main St', '00000', { addressLines: ['123 Main St'] }],
])('%s in %s', async (street, zip, postalAddress) => {
  expect(await validateAddressOffline(street, zip)).toEqual({
    kind: 'answered',
    postalAddress,
    doubts: [],
  })
})
