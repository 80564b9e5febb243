import { describe, expect, it } from 'vitest'
import { makeAddressNotice, submissionErrorNotice } from '#content/messages.ts'
import { emptyAnswers } from '#domain/enquiry/answers.ts'
import { type Enquiry, emptyEnquiry } from '#domain/enquiry/enquiry.ts'
import { formReducer } from './form-reducer.ts'
import { type FormAction, type FormState, makeInitialState } from './form-state.ts'
import { makeStepTitle } from './step-title.ts'
import { keepPerson } from './thank-you.tsx'

const start = makeInitialState({})
const ada = { ...emptyEnquiry, answers: { ...emptyEnquiry.answers, firstName: 'Ada' } }
const stateAfter = (...events: FormAction[]): FormState => events.reduce(formReducer, start)

const stopped: FormAction = {
  type: 'responded',
  response: {
    enquiry: ada,
    errors: { lastName: 'Enter it.', email: 'Enter it.' },
    question: { asksForUnit: true },
  },
}
const edited = (name: string): FormAction => ({ type: 'edited', name })

it('forgets the question when the visitor goes to another step, but shows it until a reply comes', () => {
  expect(stateAfter(stopped, { type: 'went-to', enquiry: ada }).question).toBeUndefined()
  expect(stateAfter(stopped, { type: 'request-started' }).question).toEqual({ asksForUnit: true })
})

describe('an edit', () => {
  it('removes only the error of its field', () => {
    const corrected = stateAfter(stopped, edited('lastName'))
    expect(corrected.errors).toEqual({ email: 'Enter it.' })
    expect(corrected.enquiry).toBe(ada)
  })

  it.each([
    ['address', undefined],
    ['zip', undefined],
    ['unit', { asksForUnit: true }],
  ])('of %s leaves the question about the address as %j', (name, question) => {
    expect(stateAfter(stopped, edited(name)).question).toEqual(question)
  })
})

describe('a corrected error', () => {
  const left: FormAction = { type: 'left-field' }

  it('takes up space until the focus leaves its field', () => {
    const corrected = stateAfter(stopped, edited('lastName'))
    expect(corrected.corrected).toEqual({ lastName: 'Enter it.' })
    expect(formReducer(corrected, left)).toMatchObject({
      corrected: {},
      errors: { email: 'Enter it.' },
    })
  })

  it('ends the notice if it was the last one, but an uncorrected error does not', () => {
    const refused: FormAction = {
      type: 'responded',
      response: { enquiry: ada, errors: { email: 'Refused.' }, notice: submissionErrorNotice },
    }
    expect(stateAfter(refused, left).notice).toBe(submissionErrorNotice)
    expect(stateAfter(refused, edited('email'), left).notice).toBeUndefined()
  })
})

describe('a toast about a field', () => {
  const invalid: FormAction = {
    type: 'responded',
    response: {
      enquiry: ada,
      errors: { zip: 'Invalid.' },
      notice: makeAddressNotice({ kind: 'invalid-address', message: 'Invalid.' }),
    },
  }

  it.each([
    ['closes when the visitor edits that field', 'zip', false],
    ['stays when the visitor edits another field', 'address', true],
  ])('%s', (_, name, isToastOpen) => {
    expect(stateAfter(invalid, edited(name)).isToastOpen).toBe(isToastOpen)
  })
})

describe('a failed submission', () => {
  const failed: FormAction = {
    type: 'responded',
    response: { enquiry: { ...ada, step: 3 }, errors: {}, notice: submissionErrorNotice },
  }

  it('enables the form with every answer, and shows a notice in a toast and in the page', () => {
    expect(stateAfter({ type: 'request-started' }).isBusy).toBe(true)
    expect(stateAfter({ type: 'request-started' }, failed)).toMatchObject({
      isBusy: false,
      notice: submissionErrorNotice,
      isToastOpen: true,
      enquiry: { step: 3, answers: { firstName: 'Ada' } },
    })
  })

  it('keeps its notice in the page when the visitor closes the toast', () => {
    expect(stateAfter(failed, { type: 'toast-closed' })).toMatchObject({
      isToastOpen: false,
      notice: submissionErrorNotice,
    })
  })
})

it('stays on its step while a request runs', () => {
  const wanted: FormAction = { type: 'went-to', enquiry: { ...ada, step: 2 } }
  expect(stateAfter(wanted).enquiry.step).toBe(2)
  expect(stateAfter({ type: 'request-started' }, wanted).enquiry.step).toBe(0)
})

it('forgets the answers once they are sent', () => {
  const event = { type: 'sent', leadId: 'lead-1', subId: undefined, programId: '8' } as const
  const sent = stateAfter(stopped, event)
  expect(sent.enquiry).toEqual({ ...emptyEnquiry, step: 4 })
  expect(sent).toMatchObject({ leadId: 'lead-1', programId: '8' })
  expect(sent).not.toHaveProperty('type')
})

it('keeps the person, but neither program nor consent, for another request', () => {
  const sent = { ...ada, step: 3, key: 'key', addressCheck: { ...ada.addressCheck, zipPlus4: '1' } }
  const another = keepPerson(sent as Enquiry)
  const { educationLevel, graduatingYear, programId, startDate, confirmation } = emptyAnswers
  expect(another).toEqual({
    ...emptyEnquiry,
    answers: {
      ...sent.answers,
      ...{ educationLevel, graduatingYear, programId, startDate, confirmation },
    },
    addressCheck: sent.addressCheck,
    questionedContact: sent.questionedContact,
  })
})

it('shows the thank-you screen again with its lead, and keeps the lead when a new form begins', () => {
  const thanks: FormAction = {
    type: 'went-to',
    enquiry: { ...ada, step: 4 },
    received: { leadId: 'lead-1', subId: 'P-7' },
  }
  expect(stateAfter(thanks)).toMatchObject({ leadId: 'lead-1', subId: 'P-7' })
  expect(stateAfter(thanks, { type: 'went-to', enquiry: emptyEnquiry }).leadId).toBe('lead-1')
})

describe('the document’s title', () => {
  const at = (state: Partial<FormState>) =>
    makeStepTitle('Business | School', { ...start, ...state })

  it('is the page’s own on the first step, and names later steps', () => {
    expect(at({})).toBe('Business | School')
    expect(at({ enquiry: { ...emptyEnquiry, step: 2 } })).toBe(
      'What have you studied? Step 3 of 4 | Business | School',
    )
    expect(at({ enquiry: { ...emptyEnquiry, step: 4 } })).toBe(
      'Information Received | Business | School',
    )
  })

  it('begins with “Error” if there is an error', () => {
    expect(at({ errors: { email: 'Enter it.' } })).toBe('Error: Business | School')
    expect(at({ notice: submissionErrorNotice })).toBe('Error: Business | School')
  })
})
