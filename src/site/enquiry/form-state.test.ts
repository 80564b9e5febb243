import { describe, expect, it } from 'vitest'
import { submissionNotice } from '#content/messages.ts'
import { newEnquiry } from '#domain/enquiry/enquiry.ts'
import { type FormState, formReducer, initialState } from './form-state.ts'
import { pageTitle } from './page-title.ts'

const start = initialState(undefined)
const typed = formReducer(start, { type: 'typed', answers: { firstName: 'Ada' } })
const stopped = formReducer(typed, {
  type: 'took-step',
  taken: { enquiry: typed.enquiry, errors: { lastName: 'Enter it.', email: 'Enter it.' } },
})

describe('typing', () => {
  it('takes the error of the changed field away, and no other', () => {
    const mended = formReducer(stopped, { type: 'typed', answers: { lastName: 'Lovelace' } })
    expect(mended.errors).toEqual({ email: 'Enter it.' })
    expect(mended.enquiry.answers).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace' })
  })

  it('is nothing where nothing has changed', () => {
    expect(formReducer(stopped, { type: 'typed', answers: { firstName: 'Ada' } })).toBe(stopped)
  })
})

describe('a failed submission', () => {
  const sending = formReducer(typed, { type: 'began' })
  const failed = formReducer(sending, {
    type: 'failed-to-send',
    errors: {},
    step: 3,
    notice: submissionNotice,
  })

  it('enables the form again with every answer in place, and says so in a toast and in the page', () => {
    expect(sending.isBusy).toBe(true)
    expect(failed).toMatchObject({ isBusy: false, notice: submissionNotice, isToastOpen: true })
    expect(failed.enquiry.answers.firstName).toBe('Ada')
  })

  it('keeps what it says in the page when the toast is closed', () => {
    const closed = formReducer(failed, { type: 'toast-closed' })
    expect(closed).toMatchObject({ isToastOpen: false, notice: submissionNotice })
  })
})

it('forgets the answers once they are sent', () => {
  const sent = formReducer(typed, { type: 'sent', leadId: 'lead-1', subId: undefined })
  expect(sent.enquiry).toEqual({ ...newEnquiry, step: 4 })
  expect(sent.leadId).toBe('lead-1')
})

describe('the document’s title', () => {
  const at = (state: Partial<FormState>) => pageTitle('Business | School', { ...start, ...state })

  it('is the page’s own on the first step, and says the step afterwards', () => {
    expect(at({})).toBe('Business | School')
    expect(at({ enquiry: { ...newEnquiry, step: 2 } })).toBe(
      'Step 3 of 4: Education Information | Business | School',
    )
    expect(at({ enquiry: { ...newEnquiry, step: 4 } })).toBe(
      'Information Received | Business | School',
    )
  })

  it('begins with the error where there is one', () => {
    expect(at({ errors: { email: 'Enter it.' } })).toBe('Error: Business | School')
    expect(at({ notice: submissionNotice })).toBe('Error: Business | School')
  })
})
