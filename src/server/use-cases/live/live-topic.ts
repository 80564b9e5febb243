import type { Action } from '#domain/operator/rights.ts'

/** What a page follows: all leads, one of them, what holds deliveries up, or the jobs. */
export type LiveTopic = 'leads' | 'deliveries' | 'jobs' | `lead:${string}`

/** Undefined where it is none. */
export function readTopic(text: string): LiveTopic | undefined {
  if (text === 'leads' || text === 'deliveries' || text === 'jobs') return text
  return /^lead:[\w-]{1,64}$/.test(text) ? (text as LiveTopic) : undefined
}

/** What one must be allowed to, to be told of it. */
export function actionOf(topic: LiveTopic): Action {
  if (topic === 'deliveries') return 'see deliveries'
  return topic === 'jobs' ? 'see jobs' : 'see leads'
}
