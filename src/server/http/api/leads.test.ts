import { expect, test } from 'vitest'
import type { Program } from '#domain/catalogue/program.ts'
import { exampleLead, newKey } from '#tests/product/example-lead.ts'
import { leads } from './leads.ts'

const program: Program = {
  id: 1,
  name: 'B.S. Business Administration',
  active: true,
  types: ['Business'],
  degreeType: 'Bachelors',
}

test('where too many come at once, the call says when to come again', async () => {
  const calls = leads({
    programs: [program],
    currentYear: () => 2026,
    networkCheck: {
      standing: () => 'quiet',
      prove: async () => ({ network: 'quiet' }),
    },
    submit: async () => ({ outcome: 'busy', retryAfterSeconds: 1 }),
  })
  const reply = await calls.request('/leads', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...newKey() },
    body: JSON.stringify(exampleLead()),
  })
  expect(reply.status).toBe(503)
  expect(reply.headers.get('retry-after')).toBe('1')
  expect(reply.headers.get('content-type')).toBe('application/problem+json')
  expect(await reply.json()).toMatchObject({ detail: expect.stringContaining('again') })
})
