import type { Message } from '#console/shell/message.tsx'

/** The result of an action, without personal data, because a cookie carries it to the next page. */
export type FlashMessage = Omit<Message, 'fields'>

const makeMessageOf =
  (kind: Message['kind']) =>
  (heading: string, text?: string): FlashMessage => ({ kind, heading, text })

export const makeSuccessMessage = makeMessageOf('well')
export const makeNoteMessage = makeMessageOf('note')
export const makeProblemMessage = makeMessageOf('problem')

/** Makes the message that names a form's invalid fields. Fields without an error message are valid. */
export const makeFieldErrors = (
  errors: Readonly<Record<string, string | false | undefined>>,
  heading = 'Nothing was changed',
): Message => ({
  kind: 'problem',
  heading,
  fields: Object.fromEntries(Object.entries(errors).filter(([, error]) => error)) as Readonly<
    Record<string, string>
  >,
})

/** The longest reason in characters, which leaves room for the action in the audit log. */
export const maxLeadReasonLength = 450

/** Returns the error message for a reason that is too long; undefined if it isn't. */
export function findReasonError(reason: string, maxLength: number): string | undefined {
  const { length } = reason.trim()
  return length <= maxLength
    ? undefined
    : `Use ${maxLength} characters or fewer. You entered ${length}.`
}
