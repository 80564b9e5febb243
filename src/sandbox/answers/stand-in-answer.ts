/** What a stand-in does with a call. */
export type StandInAnswer =
  | {
      readonly kind: 'reply'
      readonly status: number
      readonly body: string
      /** Asked for at each reply: some name a moment. */
      readonly headers?: () => Readonly<Record<string, string>>
    }
  /** The right answer: after the sandbox's slow time, a byte at a time, or half of it before the connection ends. */
  | { readonly kind: 'late' | 'drip' | 'cut-short' }
  /** The connection is reset: before the request's body is read, or after. */
  | { readonly kind: 'reset-early' | 'reset' }
  /** No reply, ever. */
  | { readonly kind: 'hang' }

export interface Fault {
  /** Short, for inputs: `Sandbox-` and this name as a last name or as a word of a street. */
  readonly name: string
  readonly about: string
  readonly answer: StandInAnswer
}

/** A reply in JSON. */
export const jsonReply = (status: number, value: unknown) => ({
  kind: 'reply' as const,
  status,
  body: JSON.stringify(value),
})
