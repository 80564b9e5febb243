import type { ViewLink } from '#console/leads/saved-views.tsx'
import { isAllowed } from '#domain/operator/rights.ts'
import { escapeInvisible } from '#domain/text/escape-invisible.ts'
import type { SavedView } from '#server/leads/saved-views.ts'
import type { ConsoleActor } from '#server/operators/operator.ts'
import { type LeadsAddress, leadsAddress } from './leads-address.ts'

interface Looking {
  readonly actor: Pick<ConsoleActor, 'id' | 'role'>
  /** The filter shown now. */
  readonly address: LeadsAddress
}

export const viewLinks = (
  views: readonly SavedView[],
  { actor, address }: Looking,
): readonly ViewLink[] =>
  views.map(({ id, operatorId, name, query, isShared }) => ({
    id,
    name: escapeInvisible(name),
    address: leadsAddress({ query }),
    isShown: query === address.query && address.searchId === undefined,
    mayRemove: operatorId === actor.id || isAllowed(actor.role, 'remove others’ views'),
    isShared,
  }))
