import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { exampleArrival } from '#tests/store/example-arrival.ts'
import { payloadsIn, sentOf } from '#tests/upgrade/sent-of.ts'
import {
  parseFieldsKeptAfterErasure,
  readPayload,
  serializeFieldsKeptAfterErasure,
  serializePayload,
} from './lead-payload.ts'

/** A lead as the first release stored it. Never change it: stores keep such leads for years. */
const first = {
  subId: 'affiliate 7',
  firstName: 'Zoë',
  lastName: "O'Neill",
  phone: '9415550100',
  street: '1 Palm Avenue',
  city: 'Sarasota',
  state: 'FL',
  zip: '34236',
  addressVerified: true,
  educationLevelId: 790,
  graduatingYear: 2012,
  program: {
    id: 12,
    name: 'B.S. Nursing (RN to BSN)',
    active: true,
    types: ['Healthcare'],
    degreeType: 'Bachelors',
  },
  startDateId: 'one-to-three-months',
}

const today = readPayload(serializePayload(exampleArrival().lead)).answers ?? {}

const releases = resolve(import.meta.dirname, '../../../tests/upgrade/data')
const read = (version: string, name: string) =>
  readFileSync(resolve(releases, version, name), 'utf8')
const released = readdirSync(releases).flatMap((version) =>
  payloadsIn(read(version, 'sqlite.sql')).map((stored) => ({ version, stored })),
)

// A field that is missing in old leads gets a default, and the default must not change what the distributor receives.
// The recorded files change only if the contract with the distributor changes.
test.each(readdirSync(releases))(
  'the distributor receives the same data as before for the leads of %s',
  (version) => {
    const sent = payloadsIn(read(version, 'sqlite.sql')).map(sentOf)
    expect(JSON.parse(JSON.stringify(sent))).toEqual(JSON.parse(read(version, 'sent.json')))
  },
)

test('leads of every release are kept', () => {
  expect(released.length).toBeGreaterThan(5)
})

test.each([{ version: 'the first of all', stored: JSON.stringify(first) }, ...released])(
  'every part of a lead that $version has stored is there: $stored',
  ({ stored }) => {
    const payload = readPayload(stored).answers ?? {}
    expect(Object.keys(payload).toSorted()).toEqual(Object.keys(today).toSorted())
    expect(Object.values(payload)).not.toContain(undefined)
    const { street, educationLevelId, startDateId, ...same } = JSON.parse(stored)
    const renamed = { address: street, educationLevel: educationLevelId, startDate: startDateId }
    expect(payload).toMatchObject({ ...same, ...renamed })
  },
)

test('a field that old leads lack has a value that is true for them', () => {
  expect(readPayload(JSON.stringify(first)).answers).toMatchObject({
    ...{ zipPlus4: null, gpc: false, openedAt: null },
  })
  const { program } = first
  expect(parseFieldsKeptAfterErasure(JSON.stringify({ program }))).toEqual({ program, gpc: false })
})

test('a lead keeps a program type that no longer exists', () => {
  const program = { ...first.program, types: ['Law'], degreeType: 'Doctorates' }
  expect(readPayload(JSON.stringify({ ...first, program })).answers?.program).toEqual(program)
})

test('data of an unknown format is named without its content', () => {
  const damagedPayload = {
    ...first,
    phone: 9_415_550_100,
    program: { ...first.program, name: ['Zoë'] },
  }
  expect(readPayload(JSON.stringify(damagedPayload))).toEqual({
    unreadable: { parts: ['phone', 'program.name'] },
  })
})

test.each([{ first: {} }, 'google', { first: {}, last: { gclid: 1 } }])(
  'a damaged attribution makes no lead unreadable: %j',
  (attribution) => {
    expect(readPayload(JSON.stringify({ ...first, attribution })).answers?.attribution).toBeNull()
  },
)

test('invalid JSON is not quoted', () => {
  expect(readPayload('{"firstName":"Zoë')).toEqual({ unreadable: { parts: ['the whole lead'] } })
})

test('the previous release, which knows format 1, can read today’s leads', () => {
  const { program, ...rest } = JSON.parse(
    serializePayload(exampleArrival({ zipPlus4: '34236-5610', openedAt: 1 }).lead),
  )
  const typesOf = (value: object) =>
    Object.fromEntries(Object.entries(value).map(([name, part]) => [name, typeof part]))
  // Fields that newer releases have added may be missing here. If a release removes a field or changes its type, it must
  // raise `format`, because the previous release would otherwise call the lead damaged.
  expect(typesOf(rest)).toMatchObject({
    subId: 'string',
    firstName: 'string',
    lastName: 'string',
    phone: 'string',
    street: 'string',
    city: 'string',
    state: 'string',
    zip: 'string',
    zipPlus4: 'string',
    addressVerified: 'boolean',
    educationLevelId: 'number',
    graduatingYear: 'number',
    startDateId: 'string',
    gpc: 'boolean',
    openedAt: 'number',
  })
  expect(typesOf(program)).toMatchObject({
    id: 'number',
    name: 'string',
    active: 'boolean',
    types: 'object',
    degreeType: 'string',
  })
})

test.each([
  ['', null, null],
  ['"Zoë"', null, null],
  [JSON.stringify({ ...first, gpc: true, program: { id: 12 }, phone: 1 }), null, true],
  [JSON.stringify({ ...first, gpc: 'Zoë', phone: 1 }), first.program, null],
])('an erasure keeps the readable fields of an unreadable lead: %j', (stored, program, gpc) => {
  const erased = serializeFieldsKeptAfterErasure(stored)
  expect(JSON.parse(erased)).toEqual({ program, gpc })
  expect(parseFieldsKeptAfterErasure(erased)).toEqual({ program, gpc })
})
