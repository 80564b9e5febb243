import type { Field } from './answers.ts'

/** One question of the enquiry: what it is called and what it asks for. Its rules stand apart, as the browser needs them later. */
export interface Step {
  readonly id: 'about-you' | 'address' | 'your-education' | 'program'
  /** The specification's name of the step. */
  readonly title: string
  /** What it asks, as the visitor reads it. */
  readonly question: string
  readonly fields: readonly Field[]
}

export type StepId = Step['id']
