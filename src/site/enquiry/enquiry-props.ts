import type { Inline } from '#content/inline.ts'
import type { Notice } from '#content/messages.ts'
import type { Area } from '#domain/area.ts'
import type { Program } from '#domain/catalogue/catalogue.ts'
import type { Enquiry } from '#domain/enquiry/enquiry.ts'
import type { StepTaken } from '#domain/enquiry/take-step.ts'

/** What the server hands the form: rendered with it, and read again by the browser. */
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
  readonly promise: readonly Inline[]
  /** The thank-you screen's pixel, with `{leadId}` and `{subId}` still to be filled in; absent where there is none. */
  readonly pixelUrl?: string
  /** The id of the program that the page's address asks for (`?program=15`). */
  readonly wantedProgram?: number
  readonly posted?: PostedEnquiry
}

/** Where a posted form has led to. */
export interface PostedEnquiry extends Pick<StepTaken, 'errors' | 'question'> {
  readonly enquiry: Enquiry
  /** What to say beyond the fields' errors. */
  readonly notice?: Notice
  /** Set once the enquiry is a stored lead. */
  readonly leadId?: string
  /** The program that was asked about, as its control had it. */
  readonly programId?: string | undefined
  readonly subId?: string | undefined
}
