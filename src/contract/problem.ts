import type { Challenge } from 'altcha-lib/types'

/** An error response of our own API, in the format `application/problem+json` of RFC 9457. */
export interface Problem {
  /** `about:blank`: the HTTP status describes the kind of problem. */
  readonly type: 'about:blank'
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly errors?: readonly FieldProblem[]
  /**
   * ALTCHA's challenge in a 429 response to `POST /api/leads`. The server accepts the enquiry at once if the browser
   * sends it again with the solution.
   */
  readonly challenge?: Challenge
}

export interface FieldProblem {
  readonly field: string
  readonly message: string
}

export const problemContentType = 'application/problem+json'
