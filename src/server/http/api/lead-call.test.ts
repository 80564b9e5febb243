import { expect, test } from 'vitest'
import type { Program } from '#domain/catalogue/program.ts'
import { exampleLead, newKey } from '#tests/product/example-lead.ts'
import { makeLeadCall } from './lead-call.ts'

const program: Program = {
  id: 1,
  name: 'B.S. Business Administration',
  active: true,
  types: ['Business'],
  degreeType: 'Bachelors',
}

test('where too many come at once, the call says when to come again', async () => {
  const call = makeLeadCall({
    programs: () => [program],
    currentYear: () => 2026,
    networkCheck: {
      standing: () => 'quiet',
      prove: async () => ({ network: 'quiet' }),
    },
    submit: async () => ({ outcome: 'busy', retryAfterSeconds: 1 }),
  })
  const sent: Record<string, string> = { 'content-type': 'application/json', ...newKey() }
  const head = { header: (name: string) => sent[name], remoteAddress: '203.0.113.7' }
  const reply = await call(head, JSON.stringify(exampleLead()))
  expect(reply.status).toBe(503)
  expect(reply.headers).toEqual({
    'content-type': 'application/problem+json',
    'retry-after': '1',
  })
  expect(JSON.parse(reply.body)).toMatchObject({ detail: expect.stringContaining('again') })
})
