import type { Challenge } from 'altcha-lib/types'

/** An error of our own API: `application/problem+json`, RFC 9457. */
export interface Problem {
  /** `about:blank` means that the status says what kind of problem occurred. */
  readonly type: 'about:blank'
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly errors?: readonly FieldProblem[]
  /**
   * ALTCHA's challenge in a 429 of `POST /api/leads`: the server accepts the enquiry at once with the challenge's
   * solution.
   */
  readonly challenge?: Challenge
}

export interface FieldProblem {
  readonly field: string
  readonly message: string
}

export const problemContentType = 'application/problem+json'
