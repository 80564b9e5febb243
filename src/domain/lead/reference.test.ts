import { describe, expect, it } from 'vitest'
import { makeIdAt } from '#server/platform/database/time-ordered-id.ts'
import { idEndPosition, parseReference, toIdEnd, toReference } from './reference.ts'

const start = '019bc0de-0000-7000-8000-000'

describe('a reference', () => {
  it.each([
    ['000000000', '22222222'],
    ['000000017', '2222222X'],
    ['000000018', '22222232'],
    ['fffffffff', 'KXK84X4M'],
  ])('of an id that ends with %s is %s', (end, reference) => {
    expect(toReference(start + end)).toBe(reference)
    expect(toIdEnd(reference)).toBe(end)
  })

  it('leads back to the end of its id', () => {
    for (let n = 0; n < 1000; n++) {
      const id = makeIdAt(1_764_000_000_000 + n)
      const reference = toReference(id)
      expect(reference).toMatch(/^[2-9CDFGHJKMNPQRTVWX]{8}$/)
      expect(id.slice(idEndPosition - 1)).toBe(toIdEnd(reference))
    }
  })

  it.each(['KXK84X4M', 'kxk8-4x4m', ' kxk8 4x4m '])('is read from %j', (text) =>
    expect(parseReference(text)).toBe('KXK84X4M'),
  )

  it.each(['KXK84X4', 'KXK84X4MH', 'KXK84X40', 'Stephens', 'Schwartz', ''])(
    'is not read from %j',
    (text) => expect(parseReference(text)).toBeUndefined(),
  )
})
