import type { ReactNode } from 'react'

/** One thing that happened. `wait` is the time between two others. */
export interface TimelineEvent {
  readonly key: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly kind: 'well' | 'note' | 'problem' | 'wait'
  readonly what: string
  readonly more?: ReactNode
}
