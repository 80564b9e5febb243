import type { Notice } from '#content/messages.ts'
import type { Html } from '#content/site-texts.ts'
import type { Area } from '#domain/area.ts'
import type { Program } from '#domain/catalogue/catalogue.ts'
import type { StepQuestion, StepResult } from '#domain/enquiry/advance-step.ts'
import {
  type Enquiry,
  emptyEnquiry,
  type FieldErrors,
  type StepNumber,
} from '#domain/enquiry/enquiry.ts'

/** The data from which the server renders the form and the browser hydrates it. */
export interface EnquiryProps {
  readonly area: Area
  readonly programs: readonly Program[]
  readonly currentYear: number
  /** The document's title before the form changes it. */
  readonly title: string
  readonly school: string
  readonly operator: string
  /** The disclosure beside the consent box. */
  readonly disclosure: string
  /** The text below the buttons: no obligation, and when the school receives the details. */
  readonly promise: Html
  /** The pixel's address with the placeholders `{leadId}` and `{subId}`; absent if none is configured. */
  readonly pixelUrl?: string
  /** The program id in the page's address (`?program=15`). */
  readonly wantedProgram?: number
  readonly posted?: PostedEnquiry
}

/** A sent enquiry as the thank-you screen shows it, without personal data. */
export interface ReceivedEnquiry {
  readonly leadId: string
  readonly programId?: string | undefined
  /** The affiliate id that the form sent with the lead. */
  readonly subId?: string | undefined
}

/** The result of a posted form; it has a lead's id once the enquiry is stored. */
export interface PostedEnquiry
  extends Pick<StepResult, 'errors' | 'question'>,
    Partial<ReceivedEnquiry> {
  readonly enquiry: Enquiry
  /** A message that belongs to no field. */
  readonly notice?: Notice
}

/** The form's state in an entry of the browser's history, which survives a reload and ends with the tab. */
export interface StepEntry {
  readonly enquiryStep: StepNumber
  /** The number of the history entry. Absent if an earlier release has written the entry. */
  readonly index?: number
  /** True if the previous history entry is a step of the same form. */
  readonly isPushed?: boolean
  /** The sent enquiry, in the entry of the thank-you screen. */
  readonly received?: ReceivedEnquiry | undefined
}

export const readHistoryEntry = (): StepEntry | null => history.state

/** The browser's form, as the step's logic uses it. */
export interface LiveForm {
  readonly props: EnquiryProps
  /** Returns null while the thank-you screen replaces the form. */
  readonly element: () => HTMLFormElement | null
  /** Returns the state that was last rendered. */
  readonly state: () => FormState
  /** Returns the enquiry with the current values of the controls. */
  readonly enquiry: () => Enquiry
  readonly update: (change: (state: FormState) => FormState) => void
}

export interface FormState extends Partial<ReceivedEnquiry> {
  /** The values at the last change of step. Text typed afterwards is only in the controls: see `readEnquiry`. */
  readonly enquiry: Enquiry
  readonly errors: FieldErrors
  readonly notice?: Notice | undefined
  readonly question?: StepQuestion | undefined
  /** Whether the notice's toast is open; the notice's copy in the page stays after the toast closes. */
  readonly isToastOpen: boolean
  readonly isBusy: boolean
  /** True if a call failed because the browser is offline. */
  readonly isOffline: boolean
  /** Counts the responses to Next, because each response moves the focus. */
  readonly replies: number
}

export const initialState = ({
  posted,
  wantedProgram,
}: Pick<EnquiryProps, 'posted' | 'wantedProgram'>): FormState => ({
  enquiry: wantedProgram ? setProgram(emptyEnquiry, wantedProgram) : emptyEnquiry,
  errors: {},
  isToastOpen: false,
  isBusy: false,
  isOffline: false,
  replies: 0,
  ...posted,
})

export const setProgram = (enquiry: Enquiry, programId: number): Enquiry => ({
  ...enquiry,
  answers: { ...enquiry.answers, desiredProgram: String(programId) },
})
