import type { BreakerState } from '#domain/delivery/breaker.ts'
import { maskedName } from '#domain/lead/mask-lead.ts'
import type { ComparedDay, DayCount, LeadFigures } from '#server/leads/lead-figures.ts'
import type { LeadArchive, LeadStats, LeadSummary } from '#server/leads/read-leads.ts'
import { authorise } from '#server/operators/authorise.ts'
import type { Actor } from '#server/operators/operator.ts'
import type { FailingRun } from './failing-run.ts'
import type { RecentAnswers } from './recent-answers.ts'

export interface Overview {
  readonly stats: LeadStats
  /** Today first. */
  readonly days: readonly (ComparedDay & DayCount)[]
  readonly byStatus: LeadFigures['byStatus']
  readonly first: LeadFigures['first']
  readonly firstDue: LeadFigures['firstDue']
  readonly inDoubt: LeadFigures['inDoubt']
  readonly answers: RecentAnswers | undefined
  readonly breaker: BreakerState
  /** Why visitors can't submit enquiries; undefined where they can. */
  readonly notStored: string | undefined
  readonly failing: FailingRun | undefined
  /** The newest first. Of who it is no more than initials. */
  readonly latest: readonly LatestLead[]
  /** When the oldest of the counts was taken, in epoch milliseconds. */
  readonly countedAt: number
}

export interface LatestLead extends Omit<LeadSummary, 'name' | 'email'> {
  readonly initials: string
}

interface OverviewPorts {
  /** Counts, of a while ago at most where counting takes long. */
  readonly stats: () => Promise<LeadStats & { readonly countedAt: number }>
  /** The same, of a zone's days. */
  readonly figures: (zone: string) => Promise<CountedFigures>
  readonly readAnswers: () => Promise<RecentAnswers | undefined>
  readonly readBreaker: () => Promise<BreakerState>
  /** Why an enquiry cannot be stored, in a few words; undefined where it can. */
  readonly readNotStored: () => Promise<string | undefined>
  readonly readFailing: () => Promise<FailingRun | undefined>
  readonly archive: Pick<LeadArchive, 'list'>
  readonly clock: () => number
}

export interface CountedFigures extends Omit<LeadFigures, 'days'> {
  readonly days: Overview['days']
  readonly countedAt: number
}

const latestShown = 8

export const makeReadOverview =
  ({
    stats,
    figures,
    readAnswers,
    readBreaker,
    readNotStored,
    readFailing,
    archive,
    clock,
  }: OverviewPorts) =>
  /** @param zone whose days are meant */
  async (actor: Actor, zone: string): Promise<Overview> => {
    const now = clock()
    authorise(actor, 'see the overview', now)
    const [counted, figured, answers, breaker, notStored, failing, latest] = await Promise.all([
      stats(),
      figures(zone),
      readAnswers(),
      readBreaker(),
      readNotStored(),
      readFailing(),
      archive.list({ now, take: latestShown }),
    ])
    return {
      ...figured,
      stats: counted,
      answers,
      breaker,
      notStored,
      failing: counted.byStatus.pending + counted.byStatus.leased > 0 ? failing : undefined,
      latest: latest.map(({ name, email: _email, ...lead }) => ({
        ...lead,
        initials: maskedName(name),
      })),
      countedAt: Math.min(figured.countedAt, counted.countedAt),
    }
  }
