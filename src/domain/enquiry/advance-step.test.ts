import { describe, expect, it, vi } from 'vitest'
import { exampleAnswers } from '#tests/enquiry/example-answers.ts'
import {
  type AddressDoubt,
  findAddressVerification,
  invalidAddressMessage,
  invalidZipMessage,
  makeAddressKey,
  type PostalAddress,
  type ZipLookup,
} from './address.ts'
import { advanceStep, applyReply, goToFirstError, toPreviousStep } from './advance-step.ts'
import { type Answers, emptyAnswers } from './answers.ts'
import { type Enquiry, emptyEnquiry } from './enquiry.ts'

const checkedFor = makeAddressKey(exampleAnswers)
const sent: Enquiry = {
  ...emptyEnquiry,
  step: 3,
  answers: exampleAnswers,
  addressCheck: { ...emptyEnquiry.addressCheck, checkedFor, by: 'check', zipPlus4: '34236-5610' },
}

it('goes to the first step with an error, and shows no errors of later steps', () => {
  const errors = { graduatingYear: 'a year', email: 'an address', zip: 'a ZIP' }
  expect(goToFirstError(sent, errors)).toEqual({
    enquiry: { ...sent, step: 0 },
    errors: { email: 'an address' },
  })
})

it.each([{ state: 'a state' }, { city: 'a city' }, { city: 'a city', zip: 'a ZIP' }])(
  'shows city and state if the visitor has to correct one: %j',
  (errors) => {
    expect(goToFirstError(sent, errors)).toEqual({
      enquiry: {
        ...sent,
        step: 1,
        addressCheck: { ...emptyEnquiry.addressCheck, checkedFor, by: 'hand' },
      },
      errors,
    })
  },
)

it('stays on its step if no field has an error', () => {
  expect(goToFirstError(sent, {})).toEqual({ enquiry: sent, errors: {} })
})

const ruleContext = { currentYear: 2026, isOffered: () => true }
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

const failingServices = {
  lookUpZip: async () => Promise.reject(new Error('it is down')),
  validateAddress: async () => ({ postalAddress: found, doubts: [] }),
}

const atAddress = (answers: Partial<Answers> = palmAvenue): Enquiry => ({
  ...emptyEnquiry,
  step: 1,
  answers: { ...emptyAnswers, ...answers },
})

describe('a step without an address', () => {
  it('shows its errors until every answer is valid', async () => {
    const result = await advanceStep(emptyEnquiry, { ruleContext, services: services() })
    expect(result.enquiry.step).toBe(0)
    expect(Object.keys(result.errors)).toEqual(['firstName', 'lastName', 'phone', 'email'])
  })

  it('leads to the next step, and the last step completes the enquiry', async () => {
    const answered = { ...emptyEnquiry, answers: exampleAnswers }
    const result = await advanceStep(
      { ...answered, step: 2 },
      { ruleContext, services: services() },
    )
    expect(result).toMatchObject({ enquiry: { step: 3 }, errors: {} })
    expect(result.isComplete).toBeUndefined()
    expect(
      await advanceStep({ ...answered, step: 3 }, { ruleContext, services: services() }),
    ).toMatchObject({ isComplete: true, enquiry: { step: 3 } })
  })
})

describe('the address step', () => {
  it('calls no service with an invalid street or ZIP', async () => {
    const addressServices = services()
    const result = await advanceStep(atAddress({ zip: '3423' }), {
      ruleContext,
      services: addressServices,
    })
    expect(Object.keys(result.errors)).toEqual(['address', 'zip'])
    expect(addressServices.lookUpZip).not.toHaveBeenCalled()
  })

  it('stores city, state and ZIP+4 of the check, and keeps the typed ZIP', async () => {
    const { enquiry } = await advanceStep(atAddress(), { ruleContext, services: services() })
    expect(enquiry.step).toBe(2)
    expect(enquiry.answers).toMatchObject({ city: 'Sarasota', state: 'FL', zip: '34236' })
    expect(enquiry.addressCheck).toMatchObject({ by: 'check', zipPlus4: '34236-5610' })
  })

  it.each(['ok', 'OK', 'Ok'])('accepts the status %s', async (status) => {
    const result = await advanceStep(atAddress(), { ruleContext, services: services({ status }) })
    expect(result.enquiry.step).toBe(2)
  })

  it('reports an invalid ZIP without checking the street', async () => {
    const addressServices = services({ status: 'ZERO_RESULTS' })
    const result = await advanceStep(atAddress(), { ruleContext, services: addressServices })
    expect(result).toMatchObject({
      enquiry: { step: 1, answers: palmAvenue },
      errors: { zip: invalidZipMessage },
      fault: { kind: 'invalid-address', message: invalidZipMessage },
    })
    expect(addressServices.validateAddress).not.toHaveBeenCalled()
  })

  it.each<keyof PostalAddress>(['addressLines', 'postalCode', 'administrativeArea'])(
    'reports an invalid street if the reply has no %s',
    async (missing) => {
      const postal = { ...found, [missing]: undefined }
      const result = await advanceStep(atAddress(), { ruleContext, services: services({}, postal) })
      expect(result).toMatchObject({
        enquiry: { step: 1 },
        errors: { address: invalidAddressMessage },
        fault: { message: invalidAddressMessage },
      })
    },
  )

  it('uses the ZIP’s city if the street’s reply has none', async () => {
    const addressServices = services({ city: 'Siesta Key' }, { ...found, locality: undefined })
    const result = await advanceStep(atAddress(), { ruleContext, services: addressServices })
    expect(result.enquiry.answers.city).toBe('Siesta Key')
  })

  it.each<[string, ZipLookup['city'], PostalAddress, object]>([
    ['no city', undefined, { ...found, locality: undefined }, { city: '', state: 'FL' }],
    ['an empty city', '', { ...found, locality: ' ' }, { city: '', state: 'FL' }],
    [
      'a city that is too long',
      undefined,
      { ...found, locality: 'x'.repeat(101) },
      { city: '', state: 'FL' },
    ],
    [
      'a state’s full name',
      'Ponce',
      { ...found, administrativeArea: 'Florida' },
      { city: 'Sarasota', state: '' },
    ],
    [
      'neither',
      undefined,
      { ...found, locality: '', administrativeArea: 'Ponce' },
      { city: '', state: '' },
    ],
  ])('asks for values that the services don’t know: %s', async (_, city, postalAddress, known) => {
    const addressServices = services({ city }, postalAddress, ['unit-missing'])
    const first = await advanceStep(atAddress(), { ruleContext, services: addressServices })
    expect(first).toMatchObject({
      enquiry: { step: 1, answers: { ...palmAvenue, ...known }, addressCheck: { by: 'hand' } },
    })
    expect(first.fault).toBeUndefined()
    const missing = Object.entries(known).filter(([, value]) => value === '')
    expect(Object.keys(first.errors)).toEqual(missing.map(([field]) => field))

    const answers = { ...first.enquiry.answers, city: 'Sarasota', state: 'fl ' }
    const entered = await advanceStep(
      { ...first.enquiry, answers },
      { ruleContext, services: addressServices },
    )
    expect(entered.enquiry).toMatchObject({ step: 2, answers: { city: 'Sarasota', state: 'FL' } })
    expect(findAddressVerification(entered.enquiry.answers, entered.enquiry.addressCheck)).toEqual({
      addressVerified: false,
    })
    expect(addressServices.validateAddress).toHaveBeenCalledOnce()
  })

  it('accepts a state in small letters', async () => {
    const addressServices = services({}, { ...found, administrativeArea: 'fl' })
    const result = await advanceStep(atAddress(), { ruleContext, services: addressServices })
    expect(result.enquiry).toMatchObject({ step: 2, answers: { state: 'FL' } })
  })

  it('checks the normalized address, and recognizes it in another spelling', async () => {
    const addressServices = services()
    const untidy = { address: ' 1\u00A0Palm\tAvenue', zip: ' ３４２３６-5610' }
    const first = await advanceStep(atAddress(untidy), { ruleContext, services: addressServices })
    expect(addressServices.lookUpZip).toHaveBeenCalledWith('34236')
    expect(addressServices.validateAddress).toHaveBeenCalledWith('1 Palm Avenue', '34236')
    expect(first.enquiry).toMatchObject({ step: 2, answers: palmAvenue })

    const answers = { ...first.enquiry.answers, ...untidy }
    const again = await advanceStep(
      { ...toPreviousStep(first.enquiry), answers },
      { ruleContext, services: addressServices },
    )
    expect(again.enquiry.step).toBe(2)
    expect(findAddressVerification(answers, first.enquiry.addressCheck).addressVerified).toBe(true)
    expect(addressServices.lookUpZip).toHaveBeenCalledOnce()
  })

  it.each<[AddressDoubt, object, 'nobody' | 'check']>([
    ['street-corrected', { suggestion: '1 Palm Ave' }, 'nobody'],
    ['street-unknown', { isStreetUnknown: true }, 'nobody'],
    ['unit-missing', { asksForUnit: true }, 'check'],
  ])('asks once about %s, then keeps the typed address', async (doubt, question, by) => {
    const addressServices = services({}, found, [doubt])
    const first = await advanceStep(atAddress(), { ruleContext, services: addressServices })
    expect(first).toMatchObject({
      enquiry: { step: 1, answers: { ...palmAvenue, city: 'Sarasota', state: 'FL' } },
      errors: {},
      question,
    })
    expect(first.fault).toBeUndefined()
    const again = await advanceStep(first.enquiry, { ruleContext, services: addressServices })
    expect(again.enquiry).toMatchObject({ step: 2, answers: palmAvenue, addressCheck: { by } })
    expect(again.question).toBeUndefined()
    expect(addressServices.validateAddress).toHaveBeenCalledOnce()
  })

  it('checks the address again only after a change', async () => {
    const first = await advanceStep(atAddress(), { ruleContext, services: services() })
    const addressServices = services()
    const again = await advanceStep(toPreviousStep(first.enquiry), {
      ruleContext,
      services: addressServices,
    })
    expect(again.enquiry.step).toBe(2)
    expect(addressServices.lookUpZip).not.toHaveBeenCalled()

    const answers = { ...first.enquiry.answers, address: '2 Palm Avenue' }
    await advanceStep(
      { ...toPreviousStep(first.enquiry), answers },
      { ruleContext, services: addressServices },
    )
    expect(addressServices.lookUpZip).toHaveBeenCalledOnce()
  })

  it('asks for city and state after a failure of the service, then accepts them', async () => {
    const failed = await advanceStep(atAddress(), { ruleContext, services: failingServices })
    expect(failed).toMatchObject({
      enquiry: { step: 1, answers: palmAvenue, addressCheck: { by: 'hand' } },
      errors: {},
      fault: { kind: 'address-call' },
    })
    const empty = await advanceStep(failed.enquiry, { ruleContext, services: failingServices })
    expect(Object.keys(empty.errors)).toEqual(['city', 'state'])
    expect(empty.fault).toEqual({ kind: 'address-call' })

    const answers = { ...failed.enquiry.answers, city: 'Sarasota', state: 'FL' }
    const byHand = await advanceStep(
      { ...failed.enquiry, answers },
      { ruleContext, services: failingServices },
    )
    expect(byHand.enquiry).toMatchObject({ step: 2, addressCheck: { by: 'hand' } })
  })

  it('calls the service again if the visitor entered nothing', async () => {
    const failed = await advanceStep(atAddress(), { ruleContext, services: failingServices })
    const result = await advanceStep(failed.enquiry, { ruleContext, services: services() })
    expect(result.enquiry).toMatchObject({ step: 2, addressCheck: { by: 'check' } })

    const begun = { ...failed.enquiry, answers: { ...failed.enquiry.answers, city: 'Sarasota' } }
    const addressServices = services()
    const stopped = await advanceStep(begun, { ruleContext, services: addressServices })
    expect(Object.keys(stopped.errors)).toEqual(['state'])
    expect(addressServices.lookUpZip).not.toHaveBeenCalled()
  })

  const noStreets = (zip: Partial<ZipLookup> = {}) => ({
    ...services(zip),
    validateAddress: async () => Promise.reject(new Error('it is down')),
  })

  it('fills in the ZIP’s city and state if only the street cannot be checked', async () => {
    const failed = await advanceStep(atAddress(), { ruleContext, services: noStreets() })
    expect(failed).toMatchObject({
      enquiry: { step: 1, answers: { ...palmAvenue, city: 'Sarasota', state: 'FL' } },
      errors: {},
      fault: { kind: 'address-call' },
    })
    const { enquiry } = await advanceStep(failed.enquiry, { ruleContext, services: noStreets() })
    expect(enquiry).toMatchObject({ step: 2, addressCheck: { by: 'hand' } })
    expect(findAddressVerification(enquiry.answers, enquiry.addressCheck).addressVerified).toBe(
      false,
    )
  })

  it.each([
    ['the visitor corrects the ZIP', {}, '99501', { city: 'Anchorage', state: 'AK' }],
    [
      'the visitor enters a city',
      { city: 'Bradenton' },
      '34236',
      { city: 'Bradenton', state: 'FL' },
    ],
  ])('after a failure: %s', async (_, typed, zip, place) => {
    const failed = await advanceStep(atAddress(), { ruleContext, services: noStreets() })
    const answers = { ...failed.enquiry.answers, ...typed, address: '2 Palm Avenue', zip }
    const known = noStreets(zip === '99501' ? place : {})
    const again = await advanceStep(
      { ...failed.enquiry, answers },
      { ruleContext, services: known },
    )
    expect(again.enquiry).toMatchObject({ step: 1, answers: { zip, ...place } })
  })

  it('clears the city of an earlier ZIP if no service answers', async () => {
    const first = await advanceStep(atAddress(), { ruleContext, services: services() })
    const answers = { ...first.enquiry.answers, zip: '99501' }
    const again = await advanceStep(
      { ...toPreviousStep(first.enquiry), answers },
      { ruleContext, services: failingServices },
    )
    expect(again.enquiry.answers).toMatchObject({ zip: '99501', city: '', state: '' })
  })

  it.each(['XX', 'TE', 'Alas', 'Ontario'])('refuses %s as a state', async (state) => {
    const { enquiry } = await advanceStep(atAddress(), { ruleContext, services: failingServices })
    const answers = { ...enquiry.answers, city: 'Anchorage', state }
    const result = await advanceStep(
      { ...enquiry, answers },
      { ruleContext, services: failingServices },
    )
    expect(result).toMatchObject({
      enquiry: { step: 1, answers: { state } },
      errors: { state: 'Enter your state, like FL or Florida.' },
    })
  })

  it('calls the service again if the visitor changes the street after a failure', async () => {
    const failed = await advanceStep(atAddress(), { ruleContext, services: failingServices })
    const answers = { ...failed.enquiry.answers, address: '2 Palm Avenue' }
    const result = await advanceStep(
      { ...failed.enquiry, answers },
      { ruleContext, services: services() },
    )
    expect(result.enquiry).toMatchObject({ step: 2, addressCheck: { by: 'check' } })
  })
})

it('has no step before the first', () => {
  expect(toPreviousStep(emptyEnquiry).step).toBe(0)
})

describe('Enter in a field', () => {
  const enter = { suggestion: '', unit: '', isUndecided: true }
  const askedAbout = (by: 'nobody' | 'check'): Enquiry => ({
    ...atAddress({ ...palmAvenue, city: 'Sarasota', state: 'GA' }),
    questionedContact: 'asked',
    addressCheck: {
      ...emptyEnquiry.addressCheck,
      checkedFor: makeAddressKey(palmAvenue),
      by,
    },
  })

  it.each(['nobody', 'check'] as const)('asks again about an address checked by %s', (by) => {
    const again = applyReply(askedAbout(by), enter)
    expect(again).toEqual({ ...askedAbout(by), addressCheck: emptyEnquiry.addressCheck })
  })

  it('asks again about phone and email on their step only', () => {
    const contact = { ...askedAbout('check'), step: 0 as const }
    expect(applyReply(contact, enter)).toEqual({ ...contact, questionedContact: '' })
  })

  it('adds a unit if nothing else is asked', () => {
    const { answers, addressCheck } = applyReply(askedAbout('check'), { ...enter, unit: '4B' })
    expect(answers.address).toBe('1 Palm Avenue Unit 4B')
    expect(addressCheck).toMatchObject({ by: 'check', checkedFor: makeAddressKey(answers) })
  })
})
