import { expect, test, vi } from 'vitest'
import { unavailable } from '#server/platform/call/look-up.ts'
import type { ValidateAddress } from '../address-validation/client.ts'
import type { LookUpZipPlace } from '../geocoding/client.ts'
import { addressOrForcesOffline, zipOrForcesOffline } from './or-forces-offline.ts'

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
  const lookUp: LookUpZipPlace = async () => nothing
  expect(await zipOrForcesOffline(lookUp)(zip)).toEqual(place)
})

test('what the service finds, and that it cannot answer, stands', async () => {
  const place = { kind: 'answered', status: 'OK', city: 'Ramstein', state: 'AE' } as const
  expect(await zipOrForcesOffline(async () => place)('09012')).toBe(place)
  const down = unavailable('down')
  expect(await zipOrForcesOffline(async () => down)('09012')).toBe(down)
  expect(await addressOrForcesOffline(async () => down)('PSC 3 BOX 4120', '09012')).toBe(down)
})

test('a box of the forces that the service does not know is known by its shape', async () => {
  const validate = vi.fn<ValidateAddress>(async () => noAddress)
  const check = addressOrForcesOffline(validate)
  expect(await check('PSC 3 BOX 4120', '09012')).toMatchObject({
    postalAddress: {
      addressLines: ['PSC 3 BOX 4120'],
      postalCode: '09012',
      administrativeArea: 'AE',
      locality: 'APO',
    },
  })
  expect(await check('Main Street', '09012')).not.toHaveProperty('postalAddress.addressLines')
  expect(await check('PSC 3 BOX 4120', '34236')).toBe(noAddress)
  expect(validate).toHaveBeenCalledTimes(3)
})

test('a whole answer of the service is taken as it is', async () => {
  const whole = {
    kind: 'answered',
    postalAddress: { addressLines: ['x'], postalCode: '09012-4120', administrativeArea: 'AE' },
    doubts: [],
  } as const
  expect(await addressOrForcesOffline(async () => whole)('PSC 3 BOX 4120', '09012')).toBe(whole)
})
