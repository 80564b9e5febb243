import { describe, expect, it } from 'vitest'
import { submissionNotice } from '#content/messages.ts'
import { type Enquiry, newEnquiry } from '#domain/enquiry/enquiry.ts'
import { type FormState, initialState } from './form-state.ts'
import { pageTitle } from './page-title.ts'
import {
  goTo,
  hideToast,
  type StateChange,
  showResponse,
  startRequest,
  thank,
} from './state-changes.ts'

const start = initialState({})
const ada = { ...newEnquiry, answers: { ...newEnquiry.answers, firstName: 'Ada' } }
const stateAfter = (...changes: StateChange[]): FormState =>
  changes.reduce((state, change) => change(state), start)

describe('a failed submission', () => {
  const enquiry: Enquiry = { ...ada, step: 3 }
  const failed = showResponse({ enquiry, errors: {}, notice: submissionNotice })

  it('enables the form again with every answer, and shows the message in a toast and in the page', () => {
    expect(stateAfter(startRequest).isBusy).toBe(true)
    expect(stateAfter(startRequest, failed)).toMatchObject({
      isBusy: false,
      notice: submissionNotice,
      isToastOpen: true,
      enquiry: { step: 3, answers: { firstName: 'Ada' } },
    })
  })

  it('keeps the message in the page when the toast closes', () => {
    expect(stateAfter(failed, hideToast)).toMatchObject({
      isToastOpen: false,
      notice: submissionNotice,
    })
  })
})

it('stays on its step while a request runs', () => {
  const wanted = goTo({ ...ada, step: 2 })
  expect(stateAfter(wanted).enquiry.step).toBe(2)
  expect(stateAfter(startRequest, wanted).enquiry.step).toBe(0)
})

it('forgets the answers once they are sent', () => {
  const stopped = showResponse({ enquiry: ada, errors: { lastName: 'Enter it.' } })
  const sent = stateAfter(stopped, thank({ leadId: 'lead-1', programId: '8' }))
  expect(sent.enquiry).toEqual({ ...newEnquiry, step: 4 })
  expect(sent).toMatchObject({ leadId: 'lead-1', programId: '8', errors: {} })
})

it('keeps the sent enquiry when the visitor returns to the thank-you screen or to the form', () => {
  const thanks = goTo({ ...ada, step: 4 }, { leadId: 'lead-1', subId: 'P-7' })
  expect(stateAfter(thanks)).toMatchObject({ leadId: 'lead-1', subId: 'P-7' })
  expect(stateAfter(thanks, goTo(newEnquiry)).leadId).toBe('lead-1')
})

describe('the document’s title', () => {
  const at = (state: Partial<FormState>) => pageTitle('Business | School', { ...start, ...state })

  it('names the step after the first step', () => {
    expect(at({})).toBe('Business | School')
    expect(at({ enquiry: { ...newEnquiry, step: 2 } })).toBe(
      'Step 3 of 4: Education Information | Business | School',
    )
    expect(at({ enquiry: { ...newEnquiry, step: 4 } })).toBe(
      'Information Received | Business | School',
    )
  })

  it('begins with “Error” if there is one', () => {
    expect(at({ errors: { email: 'Enter it.' } })).toBe('Error: Business | School')
    expect(at({ notice: submissionNotice })).toBe('Error: Business | School')
  })
})
