import { expect, test } from 'vitest'
import { decodeLead } from '#sandbox/ledger.ts'
import { exampleDistributorLead } from '#tests/distributor/example-distributor-lead.ts'
import { encodeLead } from './encode-lead.ts'

test('json is the object of the specification, nothing added or lost', () => {
  const { contentType, body } = encodeLead(exampleDistributorLead(), 'json')
  expect(contentType).toBe('application/json')
  expect(JSON.parse(body)).toEqual(exampleDistributorLead())
})

test('form brackets what is in a group and nothing else', () => {
  const { contentType, body } = encodeLead(exampleDistributorLead(), 'form')
  expect(contentType).toBe('application/x-www-form-urlencoded')
  const pairs = [...new URLSearchParams(body)]
  expect(pairs.slice(0, 4)).toEqual([
    ['campaign_code', 'CAMPAIGN-1'],
    ['subId', 'affiliate-7'],
    ['lead[firstname]', 'Maribel'],
    ['lead[lastname]', 'Okafor'],
  ])
  expect(pairs).toContainEqual(['lead[test]', 'false'])
  expect(pairs).toContainEqual(['lead_education[campus_id]', '1687'])
  expect(pairs).toContainEqual(['lead_consent[tcpa_consent]', 'Yes'])
  expect(pairs).toHaveLength(27)
})

test('form carries signs that would break it', () => {
  const lead = exampleDistributorLead("O'Neil & Søn=[x]+%")
  const { body } = encodeLead(lead, 'form')
  expect(decodeLead(body, 'application/x-www-form-urlencoded')).toMatchObject({
    lead: { lastname: "O'Neil & Søn=[x]+%" },
  })
})

test('a lead without an affiliate id has no subId in either encoding', () => {
  const { subId: _, ...lead } = exampleDistributorLead()
  for (const given of [lead, { ...lead, subId: undefined }]) {
    expect(encodeLead(given as typeof lead, 'json').body).not.toContain('subId')
    expect(encodeLead(given as typeof lead, 'form').body).not.toContain('subId')
  }
})

test.each(['json', 'form'] as const)('%s leaves out what is not said', (encoding) => {
  const { subId, lead, ...rest } = exampleDistributorLead()
  const unsaid = { ...rest, lead: { ...lead, ip: undefined } } as unknown as Parameters<
    typeof encodeLead
  >[0]
  const { body } = encodeLead(unsaid, encoding)
  expect(body).not.toMatch(/undefined|subId|\bip\b/)
})
