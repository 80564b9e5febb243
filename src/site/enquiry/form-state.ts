import type { Notice } from '#content/messages.ts'
import type { Html } from '#content/site-words.ts'
import type { Area } from '#domain/area.ts'
import type { Program } from '#domain/catalogue/catalogue.ts'
import { type Enquiry, type FieldErrors, newEnquiry } from '#domain/enquiry/enquiry.ts'
import type { StepNumber } from '#domain/enquiry/steps.ts'
import type { StepQuestion, StepTaken } from '#domain/enquiry/take-step.ts'

/** The server's data for the form: rendered with it, and read again by the browser. */
export interface EnquiryProps {
  readonly area: Area
  /** The area's programs: see `programsOfArea`. */
  readonly programs: readonly Program[]
  readonly currentYear: number
  /** The document's title before the form has changed it. */
  readonly title: string
  readonly school: string
  readonly operator: string
  /** The disclosure that the consent box shows. */
  readonly disclosure: string
  /** Said below the buttons: no obligation, and when the school receives the details. */
  readonly promise: Html
  /** The thank-you screen's pixel, with `{leadId}` and `{subId}` still to be filled in; absent where there is none. */
  readonly pixelUrl?: string
  /** The id of the program that the page's address asks for (`?program=15`). */
  readonly wantedProgram?: number
  readonly posted?: PostedEnquiry
}

/** A sent enquiry as the thank-you screen names it, without personal data. */
export interface Received {
  readonly leadId: string
  /** The program's id, as its control had it. */
  readonly programId?: string | undefined
  /** The affiliate id that was sent with the lead. */
  readonly subId?: string | undefined
}

/** Where a posted form has led to; with a lead's id once the enquiry is stored. */
export interface PostedEnquiry extends Pick<StepTaken, 'errors' | 'question'>, Partial<Received> {
  readonly enquiry: Enquiry
  /** The message beyond the fields' errors. */
  readonly notice?: Notice
}

/** The form's state in an entry of the browser's history. It outlives a reload, and ends with the tab. */
export interface StepEntry {
  readonly enquiryStep: StepNumber
  /** Counts the form's history entries. Absent where an earlier release has written it. */
  readonly index?: number
  /** True where the entry before this one is a step of the same form. */
  readonly isPushed?: boolean
  /** On the thank-you screen's entry: the enquiry that it thanks for. */
  readonly received?: Received | undefined
}

export const currentEntry = (): StepEntry | null => history.state

/** The form in the browser, as the step's logic works on it. */
export interface LiveForm {
  readonly props: EnquiryProps
  /** Null where the thank-you screen stands in its place. */
  readonly element: () => HTMLFormElement | null
  /** The values last rendered. */
  readonly state: () => FormState
  /** With what stands in the controls now. */
  readonly enquiry: () => Enquiry
  readonly update: (change: (state: FormState) => FormState) => void
}

export interface FormState extends Partial<Received> {
  /** The values at the last step forward or back. Text typed since is in the controls alone: see `readEnquiry`. */
  readonly enquiry: Enquiry
  readonly errors: FieldErrors
  readonly notice?: Notice | undefined
  readonly question?: StepQuestion | undefined
  /** False once the notice's toast has closed; its copy in the page stays. */
  readonly isToastOpen: boolean
  readonly isBusy: boolean
  /** True where a call failed because the browser is offline. */
  readonly isOffline: boolean
  /** How often Next has been answered: each answer moves the focus. */
  readonly replies: number
}

export const initialState = ({
  posted,
  wantedProgram,
}: Pick<EnquiryProps, 'posted' | 'wantedProgram'>): FormState => ({
  enquiry: wantedProgram ? withProgram(newEnquiry, wantedProgram) : newEnquiry,
  errors: {},
  isToastOpen: false,
  isBusy: false,
  isOffline: false,
  replies: 0,
  ...posted,
})

/** The enquiry with another program chosen. */
export const withProgram = (enquiry: Enquiry, programId: number): Enquiry => ({
  ...enquiry,
  answers: { ...enquiry.answers, desiredProgram: String(programId) },
})
