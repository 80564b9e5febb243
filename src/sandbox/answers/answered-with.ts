import type { StandInAnswer } from './stand-in-answer.ts'

/** The longest body of an answer that is written down; what is longer says nothing more. */
const mostShown = 2000

/**
 * What a caller is sent by an answer, as far as that is known before it is played.
 * @param right the body that a service sends that is well
 */
export function answeredWith(answer: StandInAnswer, right: string) {
  switch (answer.kind) {
    case 'reply':
      return { status: answer.status, body: answer.body.slice(0, mostShown) }
    case 'late':
    case 'drip':
      return { status: 200, body: right }
    case 'cut-short':
      return { status: 200, body: right.slice(0, right.length / 2) }
    default:
      return { status: null, body: null }
  }
}
