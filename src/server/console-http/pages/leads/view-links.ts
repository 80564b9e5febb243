import type { ViewLink } from '#console/leads/saved-views.tsx'
import { escapeUnseen } from '#domain/text/escape-unseen.ts'
import type { SavedView } from '#server/use-cases/leads/list/saved-views.ts'
import { type LeadsAddress, leadsAddress } from './leads-address.ts'

interface Looking {
  readonly actorId: string
  /** What is shown now. */
  readonly address: LeadsAddress
}

export const viewLinks = (
  views: readonly SavedView[],
  { actorId, address }: Looking,
): readonly ViewLink[] =>
  views.map(({ id, operatorId, name, query, isShared }) => ({
    id,
    name: escapeUnseen(name),
    address: leadsAddress({ query }),
    isShown: query === address.query && address.searchId === undefined,
    isOthers: operatorId !== actorId,
    isShared,
  }))
