import type { Challenge } from 'altcha-lib/types'

/** An error of our own API: `application/problem+json`, RFC 9457. */
export interface Problem {
  /** `about:blank` means that the status says what kind of problem occurred. */
  readonly type: 'about:blank'
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly errors?: readonly FieldProblem[]
  /** With 429 on `POST /api/leads`: ALTCHA's challenge. The server accepts the same enquiry at once with the solution. */
  readonly challenge?: Challenge
}

export interface FieldProblem {
  readonly field: string
  readonly message: string
}

export const problemContentType = 'application/problem+json'
