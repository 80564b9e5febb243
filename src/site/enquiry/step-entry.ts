import type { StepNumber } from '#domain/enquiry/steps.ts'

/** A sent enquiry as its thanks name it: nothing that says who sent it. */
export interface Received {
  readonly leadId: string
  /** The program's, as its control had it. */
  readonly programId?: string | undefined
  /** The affiliate id that was sent with the lead. */
  readonly subId?: string | undefined
}

/** What an entry of the browser's history says of the form. It outlives a reload, and ends with the tab. */
export interface StepEntry {
  readonly enquiryStep: StepNumber
  /** Counts the form's entries, so that one can be told from the next. Absent where the release before has written it. */
  readonly index?: number
  /** True where the entry before this one is a step of the same form. */
  readonly isPushed?: boolean
  /** On the thank-you screen's entry: the enquiry that it thanks for. */
  readonly received?: Received | undefined
}

export const currentEntry = (): StepEntry | null => history.state
