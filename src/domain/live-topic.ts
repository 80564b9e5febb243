import type { Action } from './operator/rights.ts'

/** What a page can follow, and what one must be allowed to, to be told of it. One lead is followed by its reference. */
const topics = {
  leads: 'see leads',
  deliveries: 'see deliveries',
  jobs: 'see jobs',
} as const satisfies Readonly<Record<string, Action>>

export type ListTopic = keyof typeof topics

export type LiveTopic = ListTopic | `lead:${string}`

export const isList = (topic: string): topic is ListTopic => Object.hasOwn(topics, topic)

/** Undefined where it is none. */
export function readTopic(text: string): LiveTopic | undefined {
  if (isList(text)) return text
  return /^lead:[\w-]{1,64}$/.test(text) ? (text as LiveTopic) : undefined
}

export const actionOf = (topic: LiveTopic): Action => (isList(topic) ? topics[topic] : 'see leads')
