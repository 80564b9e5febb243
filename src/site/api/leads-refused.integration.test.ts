import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Problem } from '#contract/api-constants.ts'
import { type ApiVisitor, apiVisitor } from '#tests/product/api-visitor.ts'
import { exampleLead, newKey } from '#tests/product/example-lead.ts'
import { type InProcessProduct, startInProcess } from '#tests/product/start-in-process.ts'

let product: InProcessProduct
let visitor: ApiVisitor
beforeAll(async () => {
  product = await startInProcess()
  visitor = await apiVisitor(product.url)
})
afterAll(() => product.stop())

async function problemOf(reply: Response): Promise<Problem> {
  expect(reply.headers.get('content-type')).toBe('application/problem+json')
  const problem = (await reply.json()) as Problem
  expect(problem).toMatchObject({ type: 'about:blank', status: reply.status })
  return problem
}

async function fieldErrors(body: unknown): Promise<Record<string, string>> {
  const reply = await visitor.post('leads', body, newKey())
  expect(reply.status).toBe(422)
  const { errors = [] } = await problemOf(reply)
  return Object.fromEntries(errors.map(({ field, message }) => [field, message]))
}

const statusWith = async (body: unknown) => (await visitor.post('leads', body, newKey())).status

describe('the Idempotency-Key', () => {
  test.each<[string, Record<string, string>]>([
    ['missing', {}],
    ['empty', { 'idempotency-key': '' }],
    ['a word', { 'idempotency-key': 'first' }],
    ['a UUID with more behind it', { 'idempotency-key': `${crypto.randomUUID()}0` }],
    ['two UUIDs', { 'idempotency-key': `${crypto.randomUUID()}, ${crypto.randomUUID()}` }],
  ])('%s: 400', async (_, headers) => {
    const reply = await visitor.post('leads', exampleLead(), headers)
    expect(reply.status).toBe(400)
    expect(await problemOf(reply)).toMatchObject({
      title: 'Bad Request',
      detail: 'Send a UUID in the header Idempotency-Key.',
    })
  })
})

describe('the body', () => {
  const limit = 64 * 1024
  /** Builds JSON of the given size with an extra field that the server ignores. */
  function bodyOf(bytes: number): string {
    const empty = JSON.stringify({ ...exampleLead(), filler: '' })
    return empty.replace(
      '"filler":""',
      `"filler":"${'x'.repeat(bytes - Buffer.byteLength(empty))}"`,
    )
  }
  const streamed = (text: string) => new Blob([text]).stream()

  test.each([
    ['with its length', (text: string) => text],
    ['in chunks', streamed],
  ])('may have at most 64 KB, %s', async (_, send) => {
    expect(Buffer.byteLength(bodyOf(limit))).toBe(limit)
    expect(await statusWith(send(bodyOf(limit)))).toBe(201)
    const reply = await visitor.post('leads', send(bodyOf(limit + 1)), newKey())
    expect(reply.status).toBe(413)
    expect(await problemOf(reply)).toMatchObject({ title: 'Payload Too Large' })
  })

  test.each(['', '{', 'lead=1', '{"lead":}', "{'lead':1}", '\uFEFF', '[1,]', 'NaN', '{"a":1}{}'])(
    '%j is not JSON: 400',
    async (body) => {
      const reply = await visitor.post('leads', body, newKey())
      expect(reply.status).toBe(400)
      expect(await problemOf(reply)).toMatchObject({ detail: 'The body is not JSON.' })
    },
  )

  test.each([
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/problem+json',
    'x/y, application/json',
  ])('as %s: 415', async (type) => {
    const headers = { ...newKey(), 'content-type': type }
    const reply = await visitor.post('leads', exampleLead(), headers)
    expect(reply.status).toBe(415)
    expect(await problemOf(reply)).toMatchObject({ title: 'Unsupported Media Type' })
  })

  test.each([
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/json;charset=UTF-8',
  ])('as %s is taken', async (type) => {
    const headers = { ...newKey(), 'content-type': type }
    expect((await visitor.post('leads', exampleLead(), headers)).status).toBe(201)
  })

  test.each(['gzip', 'br', 'deflate', 'identity, gzip', 'x'])(
    'said to be in %s: 415, whichever call it is of',
    async (encoding) => {
      for (const path of ['leads', 'address-validations', 'nothing']) {
        const headers = { ...newKey(), 'content-encoding': encoding }
        const reply = await visitor.post(path, exampleLead(), headers)
        expect(reply.status, path).toBe(415)
        expect(reply.headers.get('accept-encoding')).toBe('identity')
        expect(await problemOf(reply)).toMatchObject({ title: 'Unsupported Media Type' })
      }
    },
  )

  test.each(['identity', 'Identity', ''])('said to be in %j is taken', async (encoding) => {
    const headers = { ...newKey(), 'content-encoding': encoding }
    expect((await visitor.post('leads', exampleLead(), headers)).status).toBe(201)
  })
})

describe('a value that breaks a rule is named with the rule', () => {
  const latest = new Date().getUTCFullYear() + 10
  const phoneRule = 'Enter a 10-digit U.S. number.'
  const yearRule = `Enter a year from 1990 to ${latest}.`
  const fourDigits = 'Enter the year with 4 digits, like 2012.'
  const emailRule = 'Enter it like name@example.com.'
  const programRule = 'This program is not available here. Please choose another one.'

  test.each<[string, unknown, string]>([
    ['firstName', '', 'Enter your first name.'],
    ['firstName', ' \t ', 'Enter your first name.'],
    ['firstName', 'x'.repeat(101), 'Use at most 100 characters.'],
    ['firstName', '\u200b\u202e\u3164', 'Enter your first name.'],
    ['lastName', '', 'Enter your last name.'],
    ['lastName', '\u0000\n', 'Enter your last name.'],
    ['phone', '', 'Enter your phone number.'],
    ['phone', '(941) 555-010', phoneRule],
    ['phone', '941555010', phoneRule],
    ['phone', '94155501001', phoneRule],
    ['phone', '+1 941 555 0100', phoneRule],
    ['phone', '9415550100 x', phoneRule],
    ['phone', '٩٤١٥٥٥٠١٠٠', phoneRule],
    ['email', '', 'Enter your email address.'],
    ['email', 'zoe', emailRule],
    ['email', 'zoe@example', emailRule],
    ['email', 'zoe@exa mple.com', emailRule],
    ['email', 'zoe@example.com, other@example.com', emailRule],
    ['email', `${'z'.repeat(250)}@example.com`, 'Use at most 254 characters.'],
    ['address', ' ', 'Enter your street address.'],
    ['address', 'x'.repeat(201), 'Use at most 200 characters.'],
    ['zip', '', 'Enter your ZIP code.'],
    ['zip', '3423', 'Enter the 5 digits of your ZIP code.'],
    ['zip', '342366', 'Enter the 5 digits of your ZIP code.'],
    ['zip', '34236-5610', 'Enter the 5 digits of your ZIP code.'],
    ['city', '', 'Enter your city.'],
    ['state', '', 'Enter your state.'],
    ['state', 'Florida', 'Enter the two letters of your state, like FL.'],
    ['state', 'XX', 'Enter your state, like FL or Florida.'],
    ['educationLevel', -1, 'Choose your education level.'],
    ['educationLevel', 793, 'Choose your education level.'],
    ['graduatingYear', 1989, yearRule],
    ['graduatingYear', latest + 1, yearRule],
    ['graduatingYear', 12, fourDigits],
    ['graduatingYear', 20_120, fourDigits],
    ['graduatingYear', 2012.5, fourDigits],
    ['graduatingYear', -2012, fourDigits],
    ['programId', 9999, programRule],
    ['programId', 1.5, programRule],
    ['startDate', '', 'Choose a start date.'],
    ['startDate', 'Immediately', 'Choose a start date.'],
    ['firstName', 7, 'Send a string.'],
    ['firstName', undefined, 'This field is missing.'],
    ['phone', 9415550100, 'Send a string.'],
    ['educationLevel', '790', 'Send a number.'],
    ['graduatingYear', '2012', 'Send a number.'],
    ['graduatingYear', null, 'Send a number.'],
    ['programId', '1', 'Send a number.'],
    ['programId', undefined, 'This field is missing.'],
  ])('%s %j', async (field, value, message) => {
    const body = exampleLead()
    expect(await fieldErrors({ ...body, lead: { ...body.lead, [field]: value } })).toEqual({
      [field]: message,
    })
  })

  test.each<[string, unknown, string]>([
    ['consent', false, 'Send true.'],
    ['consent', 'true', 'Send true.'],
    ['consent', undefined, 'This field is missing.'],
    [
      'category',
      'nursing',
      'Send "general" or "business" or "education" or "healthcare" or "technology".',
    ],
    ['category', 2, 'Send "general" or "business" or "education" or "healthcare" or "technology".'],
    ['category', undefined, 'This field is missing.'],
    ['subId', 7, 'Send a string.'],
    ['zipPlus4', '34236', 'Enter a ZIP+4 code like 34236-5610.'],
    ['addressVerified', 'yes', 'Send true or false.'],
    ['lead', undefined, 'This field is missing.'],
    ['lead', 'Zoë', 'Send an object.'],
  ])('%s %j', async (field, value, message) => {
    expect(await fieldErrors({ ...exampleLead(), [field]: value })).toEqual({ [field]: message })
  })

  test('several at once', async () => {
    const body = exampleLead({ firstName: '', phone: '1', graduatingYear: 1, programId: 0 })
    expect(Object.keys(await fieldErrors(body))).toEqual([
      'firstName',
      'phone',
      'graduatingYear',
      'programId',
    ])
    expect(Object.keys(await fieldErrors({}))).toEqual(['lead', 'category', 'consent'])
  })

  test('without repeating the value', async () => {
    const secret = 'Xanthippe'
    const body = { ...exampleLead({ zip: secret, state: secret }), category: secret }
    expect(JSON.stringify(await fieldErrors(body))).not.toContain(secret)
    expect(JSON.stringify(await fieldErrors({ ...body, category: 'general' }))).not.toContain(
      secret,
    )
  })
})

test.each([['(941) 555-0100'], ['9415550100'], ['941.555.0100'], [' 941-555-0100 ']])(
  'the phone may be written %j',
  async (phone) => {
    expect(await statusWith(exampleLead({ phone }))).toBe(201)
  },
)

test('the years at both ends may be given', async () => {
  for (const graduatingYear of [1990, new Date().getUTCFullYear() + 10]) {
    expect(await statusWith(exampleLead({ graduatingYear }))).toBe(201)
  }
})

test('every area may be the category, whatever the program', async () => {
  for (const category of ['general', 'business', 'education', 'healthcare', 'technology']) {
    expect(await statusWith({ ...exampleLead(), category })).toBe(201)
  }
})
