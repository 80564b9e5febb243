import { expect, test } from 'vitest'
import type { Program } from '#domain/catalogue/catalogue.ts'
import type { SubmitResult } from '#server/enquiries/submit-enquiry.ts'
import { exampleLead, newKey } from '#tests/product/example-lead.ts'
import { makeLeadHandler } from './lead-handler.ts'

const program: Program = {
  id: 1,
  name: 'B.S. Business Administration',
  active: true,
  types: ['Business'],
  degreeType: 'Bachelors',
}

/** Calls our own API with a fixed result of `submit`, and records refusals that happen before `submit`. */
async function callWith(submitted: SubmitResult, sent = exampleLead()) {
  const refusals: string[] = []
  const call = makeLeadHandler({
    programs: () => [program],
    currentYear: () => 2026,
    proofOfWork: {
      challenge: () => Promise.reject(new Error('no challenge is expected')),
      check: async () => ({ network: 'quiet' }),
    },
    findSeenDisclosure: async (id) => (id === undefined ? 'I agree.' : undefined),
    submit: async () => submitted,
    countRefusedCall: (reason) => refusals.push(reason),
  })
  const headers: Record<string, string> = { 'content-type': 'application/json', ...newKey() }
  const head = { header: (name: string) => headers[name], remoteAddress: '203.0.113.7' }
  return { reply: await call(head, JSON.stringify(sent)), refusals }
}

test.each<[string, SubmitResult]>([
  ['1', { outcome: 'busy', retryAfterSeconds: 1 }],
  ['5', { outcome: 'failed', retryAfterSeconds: 5 }],
])(
  'if an enquiry cannot be stored, the reply asks the client to try again in %s s',
  async (seconds, submitted) => {
    const { reply, refusals } = await callWith(submitted)
    expect(reply.status).toBe(503)
    expect(reply.headers).toEqual({
      'content-type': 'application/problem+json',
      'retry-after': seconds,
    })
    expect(JSON.parse(reply.body)).toMatchObject({ detail: expect.stringContaining('again') })
    expect(refusals).toEqual([])
  },
)

test('an invalid call is counted', async () => {
  const { lead, ...rest } = exampleLead()
  const sent = { ...rest, lead: { ...lead, graduatingYear: 1 } }
  const { reply, refusals } = await callWith({ outcome: 'failed', retryAfterSeconds: 5 }, sent)
  expect(reply.status).toBe(422)
  expect(refusals).toEqual(['invalid'])
})
