import { expect, it } from 'vitest'
import { findDeliveryStatus, type Settlement } from './delivery.ts'

const now = 1_000

it.each<[string, Settlement | null, number | null, string]>([
  ['no worker holds a lease', null, null, 'pending'],
  ['a worker holds a lease', null, now + 1, 'leased'],
  ['the lease ends now', null, now, 'pending'],
  ['the lease has ended', null, now - 1, 'pending'],
  ['delivered', 'delivered', null, 'delivered'],
  ['rejected', 'rejected', null, 'rejected'],
  ['dead', 'dead', null, 'dead'],
  ['delivered while a lease is left over', 'delivered', now + 1, 'delivered'],
])('%s', (_, settledAs, leasedUntil, status) =>
  expect(findDeliveryStatus({ settledAs, leasedUntil }, now)).toBe(status),
)
