import type { Action } from '#domain/operator/rights.ts'

/** What a page follows: all leads, one of them, or what holds deliveries up. */
export type LiveTopic = 'leads' | 'deliveries' | `lead:${string}`

/** Undefined where it is none. */
export function readTopic(text: string): LiveTopic | undefined {
  if (text === 'leads' || text === 'deliveries') return text
  return /^lead:[\w-]{1,64}$/.test(text) ? (text as LiveTopic) : undefined
}

/** What one must be allowed to, to be told of it. */
export const actionOf = (topic: LiveTopic): Action =>
  topic === 'deliveries' ? 'see deliveries' : 'see leads'
