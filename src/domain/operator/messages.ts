/** A page's message about the result of the last request, such as a posted form. */
export interface Message {
  readonly kind: 'well' | 'note' | 'problem'
  readonly heading: string
  readonly text?: string | undefined
  readonly lead?: string | undefined
  /** The error messages by field name. The form also shows each error at its field. */
  readonly fields?: Readonly<Partial<Record<string, string>>> | undefined
}

/** A message that a cookie carries to the next page, so it must not contain personal data. */
export type FlashMessage = Omit<Message, 'fields'>

const makeMessageOf =
  (kind: Message['kind']) =>
  (heading: string, text?: string): FlashMessage => ({ kind, heading, text })

export const makeSuccessMessage = makeMessageOf('well')
export const makeNoteMessage = makeMessageOf('note')
export const makeProblemMessage = makeMessageOf('problem')

/** Makes the message that names a form's invalid fields. Fields without an error message are valid. */
export const makeFieldMessage = (
  errors: Readonly<Record<string, string | false | undefined>>,
  heading = 'Nothing was changed',
): Message => ({
  kind: 'problem',
  heading,
  fields: Object.fromEntries(Object.entries(errors).filter(([, error]) => error)) as Readonly<
    Record<string, string>
  >,
})

/** The longest reason for an action on one lead, in characters. The audit log keeps 500, because actions add words. */
export const maxLeadReasonLength = 450

/** Returns the error message for a reason that is empty or too long; undefined for a valid reason. */
export const findRequiredReasonError = (reason: string, maxLength: number): string | undefined =>
  reason.trim() === '' ? 'Enter a reason.' : findReasonError(reason, maxLength)

/** Returns the error message for a reason that is too long; undefined for a valid reason. */
export function findReasonError(reason: string, maxLength: number): string | undefined {
  const { length } = reason.trim()
  return length <= maxLength
    ? undefined
    : `Use ${maxLength} characters or fewer. You entered ${length}.`
}
