import { describe, expect, it } from 'vitest'
import { submissionNotice } from '#content/messages.ts'
import { emptyEnquiry } from '#domain/enquiry/enquiry.ts'
import { type FormEvent, formReducer } from './form-reducer.ts'
import { type FormState, initialState } from './form-state.ts'
import { makePageTitle } from './page-title.ts'

const start = initialState({})
const ada = { ...emptyEnquiry, answers: { ...emptyEnquiry.answers, firstName: 'Ada' } }
const stateAfter = (...events: FormEvent[]): FormState => events.reduce(formReducer, start)

const stopped: FormEvent = {
  type: 'took-step',
  taken: {
    enquiry: ada,
    errors: { lastName: 'Enter it.', email: 'Enter it.' },
    question: { asksForUnit: true },
  },
}
const edited = (name: string): FormEvent => ({ type: 'edited', name })

describe('an edit', () => {
  it('takes the error of its field away, and no other', () => {
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

describe('a toast about a field', () => {
  const invalid: FormEvent = {
    type: 'took-step',
    taken: {
      enquiry: ada,
      errors: { zip: 'Invalid.' },
      fault: { kind: 'invalid-address', message: 'Invalid.' },
    },
  }

  it.each([
    ['goes as the field is mended', 'zip', false],
    ['stays while another is edited', 'address', true],
  ])('%s', (_, name, isToastOpen) => {
    expect(stateAfter(invalid, edited(name)).isToastOpen).toBe(isToastOpen)
  })
})

describe('a failed submission', () => {
  const failed: FormEvent = {
    type: 'failed-to-send',
    enquiry: { ...ada, step: 3 },
    errors: {},
    notice: submissionNotice,
  }

  it('enables the form again with every answer in place, and says so in a toast and in the page', () => {
    expect(stateAfter({ type: 'began' }).isBusy).toBe(true)
    expect(stateAfter({ type: 'began' }, failed)).toMatchObject({
      isBusy: false,
      notice: submissionNotice,
      isToastOpen: true,
      enquiry: { step: 3, answers: { firstName: 'Ada' } },
    })
  })

  it('keeps what it says in the page when the toast is closed', () => {
    expect(stateAfter(failed, { type: 'toast-closed' })).toMatchObject({
      isToastOpen: false,
      notice: submissionNotice,
    })
  })
})

it('goes nowhere else while a step is in progress', () => {
  const wanted: FormEvent = { type: 'went-to', enquiry: { ...ada, step: 2 } }
  expect(stateAfter(wanted).enquiry.step).toBe(2)
  expect(stateAfter({ type: 'began' }, wanted).enquiry.step).toBe(0)
})

it('forgets the answers once they are sent', () => {
  const event = { type: 'sent', leadId: 'lead-1', subId: undefined, programId: '8' } as const
  const sent = stateAfter(stopped, event)
  expect(sent.enquiry).toEqual({ ...emptyEnquiry, step: 4 })
  expect(sent).toMatchObject({ leadId: 'lead-1', programId: '8' })
  expect(sent).not.toHaveProperty('type')
})

it('shows thanks that were left as they were, and keeps to whom they were when the form is begun anew', () => {
  const thanks: FormEvent = {
    type: 'went-to',
    enquiry: { ...ada, step: 4 },
    received: { leadId: 'lead-1', subId: 'P-7' },
  }
  expect(stateAfter(thanks)).toMatchObject({ leadId: 'lead-1', subId: 'P-7' })
  expect(stateAfter(thanks, { type: 'went-to', enquiry: emptyEnquiry }).leadId).toBe('lead-1')
})

describe('the document’s title', () => {
  const at = (state: Partial<FormState>) =>
    makePageTitle('Business | School', { ...start, ...state })

  it('is the page’s own on the first step, and says the step afterwards', () => {
    expect(at({})).toBe('Business | School')
    expect(at({ enquiry: { ...emptyEnquiry, step: 2 } })).toBe(
      'Step 3 of 4: Education Information | Business | School',
    )
    expect(at({ enquiry: { ...emptyEnquiry, step: 4 } })).toBe(
      'Information Received | Business | School',
    )
  })

  it('begins with the error where there is one', () => {
    expect(at({ errors: { email: 'Enter it.' } })).toBe('Error: Business | School')
    expect(at({ notice: submissionNotice })).toBe('Error: Business | School')
  })
})
