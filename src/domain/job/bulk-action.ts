import type { Action } from '../operator/rights.ts'

/** What a job does to each of its leads. Settling is not among them: it states of each lead what somebody was told. */
export const bulkActions = ['retry', 'release', 'erase'] as const

export type BulkAction = (typeof bulkActions)[number]

export const isBulkAction = (text: string): text is BulkAction =>
  bulkActions.some((action) => action === text)

/** Whoever may not do it to one lead may not do it to many. */
export const rightFor = {
  retry: 'retry deliveries',
  release: 'release leads',
  erase: 'erase leads',
} as const satisfies Readonly<Record<BulkAction, Action>>
