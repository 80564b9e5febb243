import type { Challenge } from 'altcha-lib/types'

/** An error of the own API: `application/problem+json`, RFC 9457. */
export interface Problem {
  /** `about:blank`: the status says what kind of problem it is. */
  readonly type: 'about:blank'
  readonly title: string
  readonly status: number
  /** Says what happened and what to do. */
  readonly detail: string
  /** With 422: the field and the rule that it breaks. */
  readonly errors?: readonly FieldProblem[]
  /** With 429 on `POST /api/leads`: ALTCHA's challenge. With its solution the same enquiry is taken at once. */
  readonly challenge?: Challenge
}

export interface FieldProblem {
  readonly field: string
  readonly message: string
}

export const problemContentType = 'application/problem+json'
