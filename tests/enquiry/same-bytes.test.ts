import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { type LeadRequest, toAnswers, toLeadRequest } from '#contract/lead-request.ts'
import { toDistributorLead } from '#domain/lead/distributor-lead.ts'
import type { ErasedLead, Lead, UnreadableLead } from '#domain/lead/lead.ts'
import { findStoredAnswer, storedNames } from '#domain/lead/stored-answers.ts'
import { encodeLead } from '#server/delivery/distributor-client.ts'
import { leadExportColumns } from '#server/leads/export-columns.ts'
import { readPayload } from '#server/leads/lead-payload.ts'
import type { LeadWithLastAttempt } from '#server/leads/read-leads.ts'
import { callDestination } from '#server/notifications/call-destination.ts'
import { makeExportFormats } from '#server/platform/export-formats.ts'
import { exampleCampaign } from '#tests/distributor/example-campaign.ts'
import { goldenRequests, makeGoldenLeads } from './golden-leads.ts'

// What others read must stay the same, byte for byte: the distributor, exports, the API and webhooks. The files in
// `golden` are from release 0.3.0. Change a file only if the contract with its reader changes.
const golden = (name: string) => readFileSync(resolve(import.meta.dirname, 'golden', name), 'utf8')

const { leads, replies } = await makeGoldenLeads()

/** The answers to questions that are newer than the golden files: exports and webhooks may have them in addition. */
const added = storedNames
  .filter((name) => !(name in (goldenRequests[0]?.lead ?? {})) && name !== 'program')
  .map((name) => ({ name, column: findStoredAnswer(name).column }))

const lines = (texts: readonly string[]) => texts.map((line) => `${line}\n`).join('')

describe('the distributor', () => {
  test.each(['json', 'form'] as const)('receives the same %s', (encoding) => {
    const bodies = leads.map(
      (lead) => encodeLead(toDistributorLead(lead, exampleCampaign, '203.0.113.9'), encoding).body,
    )
    expect(lines(bodies)).toBe(golden(`sent-${encoding}.txt`))
  })
})

describe('an export', () => {
  const { id, receivedAt, area, email, program, gpc, consent } = leads[0] as Lead
  const erased: ErasedLead = {
    ...{ id, receivedAt, area, program, gpc },
    ...{
      consent: { ...consent, ip: '', userAgent: '' },
      erasedAt: receivedAt,
      erasedBy: 'request',
    },
  }
  const unreadable: UnreadableLead = {
    ...{ id, receivedAt, area, email, consent },
    unreadable: { parts: ['phone', 'program.name'] },
  }
  const records = [...leads, erased, unreadable].map(
    (lead): LeadWithLastAttempt => ({
      ...{ lead, status: 'pending', duplicateOf: null, signals: [], quarantinedAt: null },
      ...{
        releasedAt: null,
        releasedDespite: null,
        corrects: null,
        correctedBy: [],
        delivery: null,
        returned: null,
      },
    }),
  )
  test.each(['csv', 'jsonl'] as const)('has the same %s', (format) => {
    const columns = leadExportColumns.filter(
      // The reference is newer than the golden files, too.
      ({ name }) => name !== 'reference' && !added.some((field) => field.column === name),
    )
    const { header, line } = makeExportFormats(
      columns.map(({ name, read }) => ({
        name,
        read: (lead: LeadWithLastAttempt) => read(lead, 'UTC'),
      })),
    )[format]
    expect(header + records.map(line).join('')).toBe(golden(`export.${format}`))
  })
})

describe('the API', () => {
  test('answers the same', () => {
    expect(lines(replies)).toBe(golden('replies.txt'))
  })

  test('is asked the same by browsers', () => {
    const requests = goldenRequests.map(({ lead, consent, ...rest }) =>
      toLeadRequest(toAnswers({ lead } as LeadRequest), rest as never),
    )
    const asked = golden('requests.jsonl').trim().split('\n')
    expect(requests).toMatchObject(asked.map((request) => JSON.parse(request)))
  })
})

test('a webhook receives the same', async () => {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    bodies.push(await text(request))
    response.end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  const settings = { timeoutMs: 10_000, allowsLocal: true, clock: () => 0 }
  for (const lead of leads) {
    for (const sends of [0, 1]) {
      const webhook = {
        ...{ id: 'w', url: `http://127.0.0.1:${port}/`, sends_personal_data: sends },
        secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      }
      const event = { event: 'accepted', event_at: lead.receivedAt, event_reason: null } as const
      const notification = { id: 'n', lead_id: lead.id, ...event, lead, receiver: { webhook } }
      await callDestination(notification as never, settings)
    }
  }
  server.close()
  const known = bodies.map((body) =>
    JSON.stringify(JSON.parse(body), (key, value) =>
      added.some(({ name }) => name === key) ? undefined : value,
    ),
  )
  expect(lines(known)).toBe(golden('webhooks.jsonl'))
})

test('leads that 0.3.0 has stored are read as they were', () => {
  const stored = golden('payloads-0.3.0.jsonl').trim().split('\n')
  const now = leads.map(({ id, receivedAt, area, email, consent, ...answers }) => answers)
  expect(stored.map((payload) => readPayload(payload).answers)).toEqual(now)
})
