import { type Action, isAllowed } from '#domain/operator/rights.ts'
import type { Role } from '#domain/operator/role.ts'

interface NavEntry {
  readonly path: string
  readonly name: string
  /** Who may not do it is not shown the way there. */
  readonly action: Action
}

/** The console's pages, in the order in which an operator needs them. A page enters once it is there. */
const entries: readonly NavEntry[] = [
  { path: '/', name: 'Overview', action: 'see the overview' },
  { path: '/leads', name: 'Leads', action: 'see leads' },
  { path: '/deliveries', name: 'Deliveries', action: 'see deliveries' },
  { path: '/quarantine', name: 'Quarantine', action: 'see leads' },
  { path: '/jobs', name: 'Jobs', action: 'see jobs' },
  { path: '/audit', name: 'Audit', action: 'see the audit' },
  { path: '/operators', name: 'Operators', action: 'see operators' },
]

export const navFor = (role: Role): readonly NavEntry[] =>
  entries.filter(({ action }) => isAllowed(role, action))
