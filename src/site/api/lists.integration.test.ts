import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProgramItem } from '#contract/lookups.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'

let product: InProcessProduct
beforeAll(async () => {
  product = await startInProcess()
})
afterAll(() => product.stop())

const get = (path: string) => fetch(`${product.url}/api/${path}`)
interface Page {
  readonly items: readonly ProgramItem[]
  readonly total: number
  readonly skip: number
  readonly take: number
}

const programs = async (query = ''): Promise<Page> => (await get(`programs${query}`)).json()

describe('the programs', () => {
  test('are a page of the whole catalogue, with featured programs marked', async () => {
    const reply = await get('programs')
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('application/json')
    const page = (await reply.json()) as Page
    expect(page).toEqual({
      total: product.programs.length,
      skip: 0,
      take: 100,
      items: product.programs.map(({ active, ...rest }) => (active ? { ...rest, active } : rest)),
    })
    expect(page.items.some((item) => 'active' in item)).toBe(true)
    expect(page.items.some((item) => !('active' in item))).toBe(true)
  })

  test.each([
    ['?skip=2&take=3', 2, 3],
    ['?take=1', 0, 1],
    ['?take=0', 0, 0],
    ['?skip=69', 69, 100],
    ['?skip=999999999&take=100', 999_999_999, 100],
  ])('%s gives that part, and the total of all', async (query, skip, take) => {
    const all = await programs()
    expect(await programs(query)).toEqual({
      items: all.items.slice(skip, skip + take),
      total: all.total,
      skip,
      take,
    })
  })

  test('are chosen by active, by type and by education level, also together', async () => {
    const { items } = await programs()
    const where = async (query: string, holds: (item: ProgramItem) => boolean) => {
      const wanted = items.filter(holds)
      expect(wanted.length, query).toBeGreaterThan(0)
      expect(wanted.length, query).toBeLessThan(items.length)
      expect(await programs(query), query).toMatchObject({ items: wanted, total: wanted.length })
    }
    await where('?active=true', ({ active }) => active === true)
    await where('?active=false', ({ active }) => active === undefined)
    await where('?type=Healthcare', ({ types }) => types.includes('Healthcare'))
    await where('?educationLevel=790', ({ degreeType }) => degreeType !== 'Masters')
    await where('?educationLevel=787', ({ degreeType }) => degreeType !== 'Masters')
    await where('?educationLevel=792', ({ degreeType }) => degreeType === 'Masters')
    await where('?educationLevel=-1', ({ degreeType }) => degreeType === 'Certificate')
    await where(
      '?active=true&type=Business&educationLevel=792',
      ({ active, types, degreeType }) =>
        active === true && types.includes('Business') && degreeType === 'Masters',
    )
  })

  test('are not filtered by unknown parameters', async () => {
    expect(await programs('?__proto__=1&constructor=2&toString=3&take=1')).toMatchObject({
      take: 1,
    })
  })

  test.each([
    ['skip', '-1', 'Give a whole number, 0 or more.'],
    ['skip', 'two', 'Give a whole number, 0 or more.'],
    ['skip', '1.5', 'Give a whole number, 0 or more.'],
    ['skip', '1e3', 'Give a whole number, 0 or more.'],
    ['skip', '99999999999999999999', 'Give a whole number, 0 or more.'],
    ['take', '101', 'Give at most 100.'],
    ['take', '-1', 'Give a whole number, 0 or more.'],
    ['take', '', 'Give a whole number, 0 or more.'],
    ['active', 'yes', 'Give true or false.'],
    ['active', 'TRUE', 'Give true or false.'],
    ['type', 'business', 'Give one of Business, Education, Healthcare, Technology.'],
    ['educationLevel', 'Bachelors', 'Give an education level’s id.'],
  ])('%s=%s is refused by its name and rule', async (field, value, message) => {
    const reply = await get(`programs?${field}=${value}`)
    expect(reply.status).toBe(422)
    expect(reply.headers.get('content-type')).toBe('application/problem+json')
    expect(await reply.json()).toEqual({
      type: 'about:blank',
      title: 'Unprocessable Entity',
      status: 422,
      detail: 'Some values need to be corrected: see errors.',
      errors: [{ field, message }],
    })
  })

  test('every bad parameter is named at once', async () => {
    const reply = await get('programs?skip=x&take=x&active=x&type=x&educationLevel=x')
    const { errors } = (await reply.json()) as { errors: { field: string }[] }
    expect(errors.map(({ field }) => field)).toEqual([
      'skip',
      'take',
      'active',
      'type',
      'educationLevel',
    ])
  })
})

test('the education levels have numbers for ids', async () => {
  expect(await (await get('education-levels')).json()).toEqual([
    { id: 787, name: 'Some College' },
    { id: 790, name: 'Associates Degree' },
    { id: 791, name: 'Bachelors Degree' },
    { id: 792, name: 'Masters Degree' },
  ])
})

test('the start dates have texts for ids', async () => {
  const list = (await (await get('start-dates')).json()) as { id: unknown; name: string }[]
  expect(list.map(({ name }) => name)).toEqual(['Immediately', '1-3 Months', '4-6 Months'])
  expect(list.map(({ id }) => typeof id)).toEqual(['string', 'string', 'string'])
})

test('HEAD answers like GET, without a body and without asking for the XSRF token', async () => {
  const reply = await fetch(`${product.url}/api/programs`, { method: 'HEAD' })
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toBe('application/json')
  expect(await reply.text()).toBe('')
})

test.each(['', '/', '/nothing', '/programs/1', '/leads'])(
  'GET /api%s is a problem: there is no such call',
  async (path) => {
    const reply = await fetch(`${product.url}/api${path}`)
    expect(reply.status).toBe(404)
    expect(reply.headers.get('content-type')).toBe('application/problem+json')
    expect(await reply.json()).toMatchObject({ type: 'about:blank', title: 'Not Found' })
  },
)

test('no reply may be kept by a cache', async () => {
  for (const path of ['programs', 'education-levels', 'nothing']) {
    expect((await get(path)).headers.get('cache-control')).toBe('no-store')
  }
})
