/** What is not as it should be: what, since when, what to do. */
export interface Trouble {
  readonly kind: 'note' | 'problem'
  readonly what: string
  /** Epoch milliseconds, and what it is the time of. */
  readonly since: { readonly words: string; readonly at: number } | undefined
  readonly more: string
  readonly todo: string
  /** The leads that it is about, or where it is mended. */
  readonly list?: { readonly words: string; readonly href: string }
  /** A section of the runbook. */
  readonly section: string
}
