import type { FunctionComponent } from 'react'
import type { FormNotice } from '#content/messages.ts'
import type { Html, SchoolFacts } from '#content/site-texts.ts'
import type { Area } from '#domain/area.ts'
import type { Program } from '#domain/catalogue/catalogue.ts'
import type { StepQuestion } from '#domain/enquiry/advance-step.ts'
import type {
  Answers,
  answerDefinitions,
  Field,
  FieldErrors,
  StepId,
} from '#domain/enquiry/answers.ts'
import {
  type CityAndStateOrigin,
  type Enquiry,
  emptyEnquiry,
  type StepNumber,
} from '#domain/enquiry/enquiry.ts'
import type { LazyFormParts } from './lazy-form-parts.ts'

/** The data from which the server renders the form and the browser hydrates it. */
export interface EnquiryProps extends Partial<Pick<SchoolFacts, 'responseTime' | 'telephone'>> {
  readonly area: Area
  readonly programs: readonly Program[]
  readonly currentYear: number
  /** The document's title before the form changes it. */
  readonly title: string
  readonly school: string
  readonly operator: string
  /** The disclosure beside the consent box, and its id, which the browser sends with the enquiry. */
  readonly disclosure: Html & { readonly id: string }
  /** The text below the buttons: no obligation, and the school gets the details only after the last button. */
  readonly promise: Html
  /** The URL of the tracking pixel with the placeholders `{leadId}` and `{subId}`; absent if none is configured. */
  readonly pixelUrl?: string
  /** The program id in the page's URL (`?program=15`). */
  readonly wantedProgram?: number
  readonly posted?: PostedFormResult
}

/** A sent enquiry as the thank-you screen shows it, without personal data. */
interface EnquiryReceipt {
  readonly leadId: string
  readonly programId?: string | undefined
  /** The affiliate id that the form sent with the lead. */
  readonly subId?: string | undefined
}

interface FormResponse {
  readonly enquiry: Enquiry
  readonly errors: FieldErrors
  /** A message that concerns no single field. */
  readonly notice?: FormNotice | undefined
  /** The question that the form asks before the next step. */
  readonly question?: StepQuestion | undefined
}

/** The result of a posted form. Once the enquiry is stored, the result has a lead's id. */
export interface PostedFormResult extends FormResponse, Partial<EnquiryReceipt> {}

export interface FormState extends FormResponse, Partial<EnquiryReceipt> {
  /** The answers at the last change of step. Newer text is only in the form's controls: see `readEnquiry`. */
  readonly enquiry: Enquiry
  readonly isToastOpen: boolean
  readonly isBusy: boolean
  /** True if a call failed because the browser is offline. */
  readonly isOffline: boolean
  /** The sent enquiry until a reload, so that the thank-you screen can name the visitor's phone and email. */
  readonly sent?: { readonly leadId: string; readonly enquiry: Enquiry }
  /** How often the form has answered a press of Next. Each answer moves the focus. */
  readonly replies: number
  /** The messages of corrected errors. Their space stays until the focus leaves the field. */
  readonly corrected: FieldErrors
}

/** A change of the form's state: see `formReducer`. */
export type FormAction =
  /** The visitor has corrected the field's error or edited an answer that a question is about. */
  | { readonly type: 'edited'; readonly name: string }
  /** The focus has left a field, and no pointer is down. */
  | { readonly type: 'left-field' }
  | {
      readonly type: 'went-to'
      readonly enquiry: Enquiry
      /** The sent enquiry, set if the visitor returns to the thank-you screen. */
      readonly received?: EnquiryReceipt | undefined
    }
  | { readonly type: 'request-started' }
  | { readonly type: 'responded'; readonly response: FormResponse }
  /** The browser was offline when the form sent the enquiry. */
  | { readonly type: 'offline'; readonly enquiry: Enquiry }
  | {
      readonly type: 'sent'
      readonly leadId: string
      readonly subId: string | undefined
      readonly programId: string
      readonly sent?: FormState['sent']
    }
  | { readonly type: 'toast-closed' }

/** The form's state in one entry of the browser's history. The entry survives a reload and ends with the tab. */
export interface FormHistoryEntry {
  readonly enquiryStep: StepNumber
  /** The number of the history entry; absent if an earlier version wrote the entry. */
  readonly index?: number
  /** True if the previous history entry is a step of the same form. */
  readonly isPushed?: boolean
  /** The sent enquiry, set in the entry of the thank-you screen. */
  readonly received?: EnquiryReceipt | undefined
}

export const readHistoryEntry = (): FormHistoryEntry | null => history.state

/** Gives the form's lazily loaded parts access to the form in the browser. */
export interface LiveForm {
  readonly props: EnquiryProps
  /** Returns the form's element; null while the thank-you screen replaces the form. */
  readonly element: () => HTMLFormElement | null
  /** Returns the form's state as React last rendered it. */
  readonly state: () => FormState
  /** Returns the enquiry with the texts that are in the controls now. */
  readonly enquiry: () => Enquiry
  readonly update: (change: (state: FormState) => FormState) => void
}

export interface ControlProps {
  /** The props that every field component needs. */
  readonly field: { name: Field; label: string; value: string; error: string | undefined }
  readonly answers: Answers
  readonly addressCheck: CityAndStateOrigin
  readonly question: StepQuestion | undefined
  readonly form: EnquiryProps
  /** The form's lazily loaded parts; undefined until the page has loaded them. */
  readonly lazyParts: LazyFormParts | undefined
}

/** The controls of the answers in some steps. The compiler reports a missing control. */
export type Controls<Steps extends StepId> = {
  readonly [Name in Field as (typeof answerDefinitions)[Name]['step'] extends Steps
    ? Name
    : never]: FunctionComponent<ControlProps>
}

export const makeInitialState = ({
  posted,
  wantedProgram,
}: Pick<EnquiryProps, 'posted' | 'wantedProgram'>): FormState => ({
  enquiry: wantedProgram ? withProgram(emptyEnquiry, wantedProgram) : emptyEnquiry,
  errors: {},
  isToastOpen: false,
  isBusy: false,
  isOffline: false,
  replies: 0,
  corrected: {},
  ...posted,
})

export const withProgram = (enquiry: Enquiry, programId: number): Enquiry => ({
  ...enquiry,
  answers: { ...enquiry.answers, programId: String(programId) },
})
