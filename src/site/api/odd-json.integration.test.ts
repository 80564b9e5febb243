import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiVisitor, apiVisitor } from '#tests/product/api-visitor.ts'
import { exampleLead, newKey } from '#tests/product/example-lead.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'
import { makeRandom } from '../../../scripts/make-random.ts'

let product: InProcessProduct
let visitor: ApiVisitor
beforeAll(async () => {
  product = await startInProcess()
  visitor = await apiVisitor(product.url)
})
afterAll(() => product.stop())

const nested = (open: string, close: string) => open.repeat(10_000) + close.repeat(10_000)

/** JSON texts that no form would send. */
const oddValues: Record<string, string> = {
  null: 'null',
  true: 'true',
  zero: '0',
  'minus zero': '-0',
  'more than a number holds': '1e400',
  'a number with many digits': '9'.repeat(400),
  'an empty text': '""',
  'an empty array': '[]',
  'an array in an array': '[["x"]]',
  'an empty object': '{}',
  'an object with toString': '{"toString":null,"length":-1}',
  __proto__: '{"__proto__":{"consent":true},"constructor":{"prototype":1}}',
  'deep arrays': nested('[', ']'),
  'deep objects': `${'{"lead":'.repeat(5000)}1${'}'.repeat(5000)}`,
  'a lone surrogate': '"\\ud800"',
  'surrogates the wrong way round': '"\\udc00\\ud800"',
  NUL: '"a\\u0000b"',
  'only NUL': '"\\u0000"',
  'a very long text': `"${'x'.repeat(60_000)}"`,
  'a very long run of digits': `"${'4'.repeat(60_000)}"`,
  'a long near-email': `"${'a.'.repeat(25_000)}@${'b-'.repeat(5000)}"`,
  emoji: '"👩‍👩‍👧‍👦🏽"',
  'other digits': '"３４２３６"',
  'line separators': '"a\\u2028b\\u2029c"',
  'a byte order mark': '"\\ufeff"',
}

const places = [
  ...Object.keys(exampleLead().lead),
  ...['lead', 'category', 'consent', 'subId', 'addressVerified', 'zipPlus4'],
]

function bodyWith(place: string, json: string): string {
  const body = exampleLead()
  const marker = '@@here@@'
  const changed =
    place in body.lead
      ? { ...body, lead: { ...body.lead, [place]: marker } }
      : { ...body, [place]: marker }
  // The replacement is a function, because `$` has a meaning in a replacement text.
  return JSON.stringify(changed).replace(`"${marker}"`, () => json)
}

async function expectAnswer(body: string, about: string) {
  const reply = await visitor.post('leads', body, newKey())
  expect([201, 413, 422], about).toContain(reply.status)
  if (reply.status === 422) {
    const { errors } = (await reply.json()) as { errors: { field: string; message: string }[] }
    expect(errors.length, about).toBeGreaterThan(0)
    for (const { field, message } of errors) {
      expect([...places, 'body'], about).toContain(field)
      expect(message.length, about).toBeLessThan(100)
    }
  }
  return reply.status
}

describe.each(Object.entries(oddValues))('%s', (_, json) => {
  test('as the whole body is refused', async () => {
    expect(await expectAnswer(json, 'body')).toBe(422)
  })

  test('in any place is stored or refused by the name of the place', async () => {
    for (const place of places) await expectAnswer(bodyWith(place, json), place)
  })

  test('as an address to validate is answered', async () => {
    for (const body of [
      json,
      `{"address":${json},"zip":"34236"}`,
      `{"address":"1 A St","zip":${json}}`,
    ]) {
      const reply = await visitor.post('address-validations', body)
      expect([200, 422]).toContain(reply.status)
    }
  })
})

test('300 random bodies never cause a 500', async () => {
  const seed = 20_261_121
  const { pick } = makeRandom(seed)
  for (let round = 0; round < 300; round++) {
    const body = bodyWith(pick(places), randomJson(pick, 4))
    await expectAnswer(body, `seed ${seed}, round ${round}`)
  }
  expect(product.logLines.filter((line) => line.includes('"level":50'))).toEqual([])
})

function randomJson(pick: <Item>(items: readonly Item[]) => Item, depth: number): string {
  const kind = depth === 0 ? 'text' : pick(['text', 'number', 'array', 'object', 'odd'])
  if (kind === 'number') return pick(['0', '-1', '2012', '790', '1', '0.1', '1e21', '-1e-7'])
  if (kind === 'odd') return pick(Object.values(oddValues))
  if (kind === 'array') {
    return `[${pick([0, 1, 3]) ? Array.from({ length: 2 }, () => randomJson(pick, depth - 1)) : ''}]`
  }
  if (kind === 'object') {
    return `{${JSON.stringify(pick(places))}:${randomJson(pick, depth - 1)}}`
  }
  const code = () => String.fromCharCode(pick([0, 9, 32, 64, 48, 65, 0xd8_00, 0xdc_00, 0x20_2e]))
  return JSON.stringify(Array.from({ length: pick([0, 1, 5, 10]) }, code).join(''))
}
