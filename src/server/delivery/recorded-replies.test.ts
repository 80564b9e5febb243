import { expect, onTestFinished, test } from 'vitest'
import type { AttemptOutcome } from '#domain/delivery/outcome.ts'
import { exampleDistributorLead } from '#tests/distributor/example-distributor-lead.ts'
import { type RecordedReply, startAnsweringServer } from '#tests/third-parties/answering-server.ts'
import { makeDistributorClient } from './distributor-client.ts'

async function send(reply: RecordedReply, encoding: 'json' | 'form' = 'json') {
  const { url, stop, requests } = await startAnsweringServer([reply])
  onTestFinished(stop)
  const distributor = makeDistributorClient({
    url: `${url}/incoming/leads`,
    encoding,
    timeoutMs: 60_000,
  })
  const result = await distributor.send(
    exampleDistributorLead(),
    'key-1',
    new AbortController().signal,
  )
  return { ...result, requests }
}

const ok = (body: object): RecordedReply => ({ status: 200, body })
const rejected = { name: 'rejected', httpStatus: 200 } as const
const cap = 'Reached the monthly offer cap for program 17'

test.each<[string, RecordedReply, Partial<AttemptOutcome>, string?]>([
  ['success', ok({ status: 'success' }), { name: 'delivered', httpStatus: 200 }],
  ['success with more', ok({ status: 'success', id: 'L-1' }), { name: 'delivered' }],
  [
    'failure by reason.base',
    ok({ status: 'failure', reason: { base: [cap] } }),
    { ...rejected, cause: 'cap' },
    cap,
  ],
  [
    'failure by field',
    ok({ status: 'failure', reason: { phone1: ['is invalid'] } }),
    rejected,
    'phone1: is invalid',
  ],
  [
    'failure in words',
    ok({ status: 'failure', reason: 'Program is inactivated' }),
    rejected,
    'Program is inactivated',
  ],
  [
    'failure with reason_code',
    ok({ status: 'failure', reason_code: 'inactive' }),
    rejected,
    'inactive',
  ],
  [
    'failure with errors[]',
    ok({ status: 'failure', errors: ['one', 'two'] }),
    rejected,
    'one; two',
  ],
  ['failure with reasons[]', ok({ status: 'failure', reasons: ['one'] }), rejected, 'one'],
  ['failure without a reason', ok({ status: 'failure' }), rejected],
  ['a status that is no string', ok({ status: 1 }), { name: 'broken' }, '{"status":1}'],
  ['no status', ok({ result: 'success' }), { name: 'broken' }, '{"result":"success"}'],
  ['an array', ok(['success']), { name: 'broken' }, '["success"]'],
])('%s', async (_, reply, outcome, said) => {
  const result = await send(reply)
  expect(result.outcome).toMatchObject(outcome)
  expect(result.response).toBe(said)
})

test('a failed delivery is not sent again by the client: the schedule does that', async () => {
  const { outcome, requests } = await send({ status: 503, body: '' })
  expect(outcome.name).toBe('busy')
  expect(requests).toHaveLength(1)
})

test('form keys are bracketed, as the distributor’s public clients write them', async () => {
  const { requests } = await send(ok({ status: 'success' }), 'form')
  const [head = '', body = ''] = (requests[0] ?? '').split('\r\n\r\n')
  expect(head).toMatch(/^POST \/incoming\/leads HTTP/)
  expect(head).toMatch(/content-type: application\/x-www-form-urlencoded/i)
  const keys = [...new URLSearchParams(body).keys()]
  expect(keys).toEqual(
    expect.arrayContaining([
      'campaign_code',
      'lead[service_trusted_form]',
      'lead[test]',
      'lead[media_type]',
      'lead_address[zip]',
      'lead_education[education_level_id]',
      'lead_education[program_id]',
      'lead_education[campus_id]',
      'lead_background[rn_license]',
      'lead_background[teaching_license]',
      'lead_custom_value[self_directed_rating_wgu]',
      'lead_consent[tcpa_consent]',
    ]),
  )
})
