import { expect, it } from 'vitest'
import type { Lead } from './lead.ts'
import { serializeContent } from './stored-answers.ts'

type LeadContent = Omit<Lead, 'id' | 'receivedAt' | 'consent'>

const lead: LeadContent = {
  area: 'business',
  subId: 'aff-42',
  firstName: 'Zoë',
  lastName: "O'Neill",
  phone: '9415550100',
  email: 'zoe@example.com',
  address: '1 Palm Avenue',
  city: 'Sarasota',
  state: 'FL',
  zip: '34236',
  zipPlus4: '34236-5610',
  addressVerified: true,
  educationLevel: 790,
  graduatingYear: 2012,
  program: { id: 8, name: 'M.B.A.', active: true, types: ['Business'], degreeType: 'Masters' },
  startDate: 'immediately',
  gpc: false,
  openedAt: null,
  attribution: null,
}

it.each<[string, Partial<LeadContent>]>([
  ['another affiliate id', { subId: null }],
  ['another word of the address check', { addressVerified: false, zipPlus4: null }],
  ['the browser’s signal', { gpc: true }],
  ['when its page was opened', { openedAt: 1 }],
  ['another campaign', { attribution: { first: {}, last: { utm_campaign: 'spring' } } }],
  ['a program that was renamed since', { program: { ...lead.program, name: 'MBA' } }],
  ['the email in capitals', { email: 'Zoe@Example.com' }],
  ['a name that is encoded and spaced otherwise', { firstName: 'Zoe\u0308 ' }],
])('%s: the answers are the same', (_, change) =>
  expect(serializeContent({ ...lead, ...change })).toBe(serializeContent(lead)),
)

it.each<Partial<LeadContent>>([
  { area: 'general' },
  { firstName: 'Zoe' },
  { lastName: 'O’Neill' },
  { phone: '9415550101' },
  { email: 'zoe@example.org' },
  { address: '2 Palm Avenue' },
  { city: 'Siesta Key' },
  { state: 'GA' },
  { zip: '34237' },
  { educationLevel: 791 },
  { graduatingYear: 2013 },
  { program: { ...lead.program, id: 9 } },
  { startDate: 'one-to-three-months' },
])('%o: the answers differ', (change) =>
  expect(serializeContent({ ...lead, ...change })).not.toBe(serializeContent(lead)),
)
