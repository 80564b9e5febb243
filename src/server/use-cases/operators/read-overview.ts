import type { BreakerState } from '#domain/delivery/breaker.ts'
import type { LeadArchive, LeadStats, LeadSummary } from '../leads/read-leads.ts'
import { authorise } from './authorise.ts'
import type { Actor } from './operator.ts'

export interface Overview {
  readonly stats: LeadStats
  readonly breaker: BreakerState
  /** The newest first. Nobody is named. */
  readonly latest: readonly LatestLead[]
}

export type LatestLead = Omit<LeadSummary, 'name' | 'email'>

interface OverviewPorts {
  /** Counts, of a while ago at most where counting takes long. */
  readonly stats: () => Promise<LeadStats>
  readonly readBreaker: () => Promise<BreakerState>
  readonly archive: Pick<LeadArchive, 'list'>
  readonly clock: () => number
}

const latestShown = 8

export const makeReadOverview =
  ({ stats, readBreaker, archive, clock }: OverviewPorts) =>
  async (actor: Actor): Promise<Overview> => {
    authorise(actor, 'see the overview', clock())
    const [counted, breaker, latest] = await Promise.all([
      stats(),
      readBreaker(),
      archive.list({ now: clock(), take: latestShown }),
    ])
    return {
      stats: counted,
      breaker,
      latest: latest.map(({ name: _name, email: _email, ...lead }) => lead),
    }
  }
