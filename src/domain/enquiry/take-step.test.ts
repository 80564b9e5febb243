import { describe, expect, it, vi } from 'vitest'
import { invalidAddress, invalidZip, type PostalAddress, type ZipLookup } from './address-check.ts'
import type { AddressDoubt } from './address-doubt.ts'
import { type Answers, noAnswers } from './answers.ts'
import { type Enquiry, newEnquiry } from './enquiry.ts'
import { oneBack, takeStep } from './take-step.ts'

const facts = { currentYear: 2026, isOffered: () => true }
const palmAvenue = { address: '1 Palm Avenue', zip: '34236' }
const found: PostalAddress = {
  addressLines: ['1 Palm Ave'],
  postalCode: '34236-5610',
  administrativeArea: 'FL',
  locality: 'Sarasota',
}

function services(
  zip: Partial<ZipLookup> = {},
  postalAddress: PostalAddress = found,
  doubts: readonly AddressDoubt[] = [],
) {
  return {
    lookUpZip: vi.fn(async () => ({ status: 'OK', city: 'Sarasota', state: 'FL', ...zip })),
    validateAddress: vi.fn(async () => ({ postalAddress, doubts })),
  }
}

const down = {
  lookUpZip: async () => Promise.reject(new Error('it is down')),
  validateAddress: async () => ({ postalAddress: found, doubts: [] }),
}

const atAddress = (answers: Partial<Answers> = palmAvenue): Enquiry => ({
  ...newEnquiry,
  step: 1,
  answers: { ...noAnswers, ...answers },
})

describe('a step without an address', () => {
  it('stays with its errors until it is answered', async () => {
    const taken = await takeStep(newEnquiry, { facts, services: services() })
    expect(taken.enquiry.step).toBe(0)
    expect(Object.keys(taken.errors)).toEqual(['firstName', 'lastName', 'phone', 'email'])
  })

  it('moves on when it is, and says so when it was the last', async () => {
    const answers = { ...noAnswers, previousEducation: '790', graduatingYear: '2012' }
    const taken = await takeStep(
      { ...newEnquiry, step: 2, answers },
      { facts, services: services() },
    )
    expect(taken).toMatchObject({ enquiry: { step: 3 }, errors: {} })
    expect(taken.isComplete).toBeUndefined()
    const last = { ...answers, desiredProgram: '8', startDate: 'immediately', confirmation: 'on' }
    expect(
      await takeStep({ ...newEnquiry, step: 3, answers: last }, { facts, services: services() }),
    ).toMatchObject({ isComplete: true, enquiry: { step: 3 } })
  })
})

describe('the address step', () => {
  it('asks no service about a street or ZIP that cannot be right', async () => {
    const asked = services()
    const taken = await takeStep(atAddress({ zip: '3423' }), { facts, services: asked })
    expect(Object.keys(taken.errors)).toEqual(['address', 'zip'])
    expect(asked.lookUpZip).not.toHaveBeenCalled()
  })

  it('takes city and state from the check, keeps the typed ZIP and the ZIP+4 beside it', async () => {
    const { enquiry } = await takeStep(atAddress(), { facts, services: services() })
    expect(enquiry.step).toBe(2)
    expect(enquiry.answers).toMatchObject({ city: 'Sarasota', state: 'FL', zip: '34236' })
    expect(enquiry.standing).toMatchObject({ by: 'check', zipPlus4: '34236-5610' })
  })

  it.each(['ok', 'OK', 'Ok'])('takes the status %s', async (status) => {
    const taken = await takeStep(atAddress(), { facts, services: services({ status }) })
    expect(taken.enquiry.step).toBe(2)
  })

  it('says that the ZIP is wrong, without asking about the street', async () => {
    const asked = services({ status: 'ZERO_RESULTS' })
    const taken = await takeStep(atAddress(), { facts, services: asked })
    expect(taken).toMatchObject({
      enquiry: { step: 1, answers: palmAvenue },
      errors: { zip: invalidZip },
      fault: { kind: 'invalid-address', message: invalidZip },
    })
    expect(asked.validateAddress).not.toHaveBeenCalled()
  })

  it.each<keyof PostalAddress>(['addressLines', 'postalCode', 'administrativeArea'])(
    'says that the street is wrong where the reply has no %s',
    async (missing) => {
      const postal = { ...found, [missing]: undefined }
      const taken = await takeStep(atAddress(), { facts, services: services({}, postal) })
      expect(taken).toMatchObject({
        enquiry: { step: 1 },
        errors: { address: invalidAddress },
        fault: { message: invalidAddress },
      })
    },
  )

  it('takes the city from the ZIP where the street’s reply has none', async () => {
    const asked = services({ city: 'Siesta Key' }, { ...found, locality: undefined })
    const taken = await takeStep(atAddress(), { facts, services: asked })
    expect(taken.enquiry.answers.city).toBe('Siesta Key')
  })

  it.each<[AddressDoubt, object, 'nobody' | 'check']>([
    ['street-corrected', { suggestion: '1 Palm Ave' }, 'nobody'],
    ['street-unknown', { isStreetUnknown: true }, 'nobody'],
    ['unit-missing', { asksForUnit: true }, 'check'],
  ])('asks once about %s, and goes on with what was typed', async (doubt, question, by) => {
    const asked = services({}, found, [doubt])
    const first = await takeStep(atAddress(), { facts, services: asked })
    expect(first).toMatchObject({
      enquiry: { step: 1, answers: { ...palmAvenue, city: 'Sarasota', state: 'FL' } },
      errors: {},
      question,
    })
    expect(first.fault).toBeUndefined()
    const again = await takeStep(first.enquiry, { facts, services: asked })
    expect(again.enquiry).toMatchObject({ step: 2, answers: palmAvenue, standing: { by } })
    expect(again.question).toBeUndefined()
    expect(asked.validateAddress).toHaveBeenCalledOnce()
  })

  it('is not checked again while it is untouched, and is once it is touched', async () => {
    const first = await takeStep(atAddress(), { facts, services: services() })
    const asked = services()
    const again = await takeStep(oneBack(first.enquiry), { facts, services: asked })
    expect(again.enquiry.step).toBe(2)
    expect(asked.lookUpZip).not.toHaveBeenCalled()

    const answers = { ...first.enquiry.answers, address: '2 Palm Avenue' }
    await takeStep({ ...oneBack(first.enquiry), answers }, { facts, services: asked })
    expect(asked.lookUpZip).toHaveBeenCalledOnce()
  })

  it('goes on by hand after a fault of the service: city and state are asked for, then taken', async () => {
    const failed = await takeStep(atAddress(), { facts, services: down })
    expect(failed).toMatchObject({
      enquiry: { step: 1, answers: palmAvenue, standing: { by: 'hand' } },
      errors: {},
      fault: { kind: 'address-call' },
    })
    const empty = await takeStep(failed.enquiry, { facts, services: down })
    expect(Object.keys(empty.errors)).toEqual(['city', 'state'])

    const answers = { ...failed.enquiry.answers, city: 'Sarasota', state: 'FL' }
    const byHand = await takeStep({ ...failed.enquiry, answers }, { facts, services: down })
    expect(byHand.enquiry).toMatchObject({ step: 2, standing: { by: 'hand' } })
  })

  it('asks the service again when a street is changed after a fault', async () => {
    const failed = await takeStep(atAddress(), { facts, services: down })
    const answers = { ...failed.enquiry.answers, address: '2 Palm Avenue' }
    const taken = await takeStep({ ...failed.enquiry, answers }, { facts, services: services() })
    expect(taken.enquiry).toMatchObject({ step: 2, standing: { by: 'check' } })
  })
})

it('has no step before the first', () => {
  expect(oneBack(newEnquiry).step).toBe(0)
})
