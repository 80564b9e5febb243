import type { BreakerState } from '#domain/delivery/breaker.ts'
import type { Answers, RecentAnswers } from '#domain/delivery/deliveries-view.ts'
import { maskedName } from '#domain/lead/mask-lead.ts'
import {
  type CountedAttempt,
  type DeliveryRollups,
  slotOf,
} from '#server/delivery/delivery-rollups.ts'
import type { ComparedDay, DayCount, LeadFigures } from '#server/leads/lead-figures.ts'
import type { LeadArchive, LeadStats, LeadSummary } from '#server/leads/read-leads.ts'
import { authorise } from '#server/operators/authorise.ts'
import type { Actor } from '#server/operators/operator.ts'

/** The latest attempts, where all of them failed. */
export interface FailingRun {
  readonly attempts: number
  /** When the first of them began, in epoch milliseconds. */
  readonly since: number
}

/** Ten different leads trip the breaker, which the overview shows anyway. */
const mostLookedAt = 100

const isAnswer = ({ outcome }: Pick<CountedAttempt, 'outcome'>): boolean =>
  outcome === 'delivered' || outcome === 'rejected'

/** How many attempts have failed since the distributor last answered; undefined where the latest was answered. */
export async function readFailingRun(
  rollups: Pick<DeliveryRollups, 'latest'>,
): Promise<FailingRun | undefined> {
  const made = (await rollups.latest(mostLookedAt)).filter(({ outcome }) => outcome !== 'not-made')
  const answered = made.findIndex(isAnswer)
  const failed = answered === -1 ? made : made.slice(0, answered)
  const first = failed.at(-1)
  return first && { attempts: failed.length, since: first.startedAt }
}

const day = 24 * 3_600_000

export async function readRecentAnswers(
  rollups: Pick<DeliveryRollups, 'answers'>,
  now: number,
): Promise<RecentAnswers> {
  const slots = await rollups.answers(slotOf(now - 8 * day))
  return {
    lastDay: sumOf(slots.filter(({ from }) => from >= now - day)),
    before: sumOf(slots.filter(({ from }) => from < now - day)),
  }
}

const sumOf = (slots: readonly Answers[]): Answers => ({
  delivered: slots.reduce((sum, { delivered }) => sum + delivered, 0),
  rejected: slots.reduce((sum, { rejected }) => sum + rejected, 0),
})

export interface Overview {
  readonly stats: LeadStats
  /** Today first. */
  readonly days: readonly (ComparedDay & DayCount)[]
  readonly byStatus: LeadFigures['byStatus']
  readonly first: LeadFigures['first']
  readonly firstDue: LeadFigures['firstDue']
  readonly inDoubt: LeadFigures['inDoubt']
  readonly affiliates: LeadFigures['affiliates']
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
