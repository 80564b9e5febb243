import { expect, it } from 'vitest'
import { serializePayload } from '#server/leads/lead-payload.ts'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { type EarlierLead, resolveIdempotencyConflict } from './store-arrivals.ts'

const arrival = exampleArrival({ email: 'ada@example.com' }, 'the-key')

const stored = (change: Partial<EarlierLead> = {}): EarlierLead => ({
  id: 'the-first',
  idempotency_key: 'the-key',
  area: arrival.lead.area,
  email: arrival.lead.email,
  payload: serializePayload(arrival.lead),
  duplicate_of: null,
  corrects: null,
  erased_at: null,
  same_enquiry_hash: arrival.dedupeKey,
  received_at: arrival.lead.receivedAt,
  erased_by: null,
  signals: null,
  quarantined_at: null,
  released_at: null,
  released_despite: null,
  reference: null,
  ...change,
})

it('the same content repeats the stored lead', () =>
  expect(resolveIdempotencyConflict(arrival, stored())).toEqual({
    id: 'the-first',
    repeated: true,
    duplicateOf: null,
    corrects: null,
  }))

it('a lead stored by an earlier try of the same call counts as new', () =>
  expect(resolveIdempotencyConflict(arrival, stored({ id: arrival.lead.id }))).toMatchObject({
    repeated: false,
  }))

it.each([
  ['other content', stored({ email: 'bea@example.com' })],
  ['what nobody can compare with', stored({ erased_at: 1 })],
])('%s is a correction, always under the same key', (_, known) => {
  const met = resolveIdempotencyConflict(arrival, known)
  expect(met).toEqual({
    ...arrival,
    corrects: 'the-first',
    idempotencyKey: expect.stringMatching(/^the-key\/[\da-f]{64}$/),
  })
  const again = { ...arrival, lead: { ...arrival.lead, id: 'again', subId: null } }
  if (!('lead' in met)) throw new Error('no correction')
  const { idempotencyKey } = met
  expect(resolveIdempotencyConflict(again, known)).toMatchObject({ idempotencyKey })
})
