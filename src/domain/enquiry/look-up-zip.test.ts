import { expect, onTestFinished, test, vi } from 'vitest'
import { lookUpZip } from './street-line.ts'

const data = 'zipcodes/lib/codes.js'

test('the first lookup loads the data', async () => {
  const loaded = vi.fn()
  vi.resetModules()
  vi.doMock(data, async (original) => {
    loaded()
    return original()
  })
  onTestFinished(() => {
    vi.doUnmock(data)
  })
  const fresh = await import('./street-line.ts')
  expect(loaded).not.toHaveBeenCalled()
  await fresh.lookUpZip('34236')
  expect(loaded).toHaveBeenCalledOnce()
})

test.each([
  ['34236', { city: 'Sarasota', state: 'FL' }],
  ['00501', { city: 'Holtsville', state: 'NY' }],
  ['99950', { city: 'Ketchikan', state: 'AK' }],
  ['00601', { city: 'Adjuntas', state: 'PR' }],
  ['00802', { city: 'St Thomas', state: 'VI' }],
  ['96910', { city: 'Hagatna', state: 'GU' }],
  ['09012', { city: 'APO', state: 'AE' }],
  ['34035', { city: 'DPO', state: 'AA' }],
  ['96201', { city: 'APO', state: 'AP' }],
])('%s', async (zip, place) => {
  expect(await lookUpZip(zip)).toEqual(place)
})

test.each([
  '00000',
  '99999',
  '99998',
  '99997',
  'M5V',
  'M5V 2T6',
  '3423',
  '34236-5610',
  '',
  'constructor',
])('"%s" is no U.S. ZIP code', async (zip) => {
  expect(await lookUpZip(zip)).toBeUndefined()
})
