import type { Logger } from 'pino'
import { parseVisitReport } from '#contract/visit-report.ts'
import { findCampaign, findSource } from '#domain/lead/attribution.ts'
import { maxVisitMs, mergeVisits, type Visit, type VisitProgress } from '#domain/measuring/visit.ts'
import { parseAttribution } from '#server/enquiries/attribution.ts'
import type { RateLimits } from '#server/enquiries/rate-limits.ts'
import { commitWithoutFaultyItems } from '#server/platform/database/group-commit.ts'
import { isInvalidRow } from '#server/platform/faults/database-errors.ts'
import { type RequestHead, refusesTracking } from '#server/platform/http/request-head.ts'
import { makeFailureLog } from '#server/platform/observability/failure-log.ts'
import { makePollingLoop } from '#server/platform/polling-loop.ts'
import { toOtherGroup } from './visit-counts.ts'
import type { VisitStore } from './visit-store.ts'

/** How often received reports are stored, in milliseconds. */
const storeEveryMs = 2000

/** The maximum number of visits whose reports wait to be stored. Reports of further visits are dropped. */
export const maxWaitingVisits = 2000

/** How many visits one transaction stores: on SQLite leads wait meanwhile. */
const visitsPerSave = 100

/** A step of the form, posted by a browser without JavaScript. */
export interface PostedStep
  extends Pick<Visit, 'id' | 'area' | 'program' | 'source' | 'campaign' | 'affiliate'> {
  /** When the first post of the visit arrived, in epoch milliseconds. */
  readonly startedAt: number
  readonly from: VisitProgress['step']
  readonly to: VisitProgress['step']
  readonly refused: readonly string[]
}

/**
 * Receives reports of visits and stores them together every two seconds, so that no visitor waits. Each report contains
 * the whole visit, so the next report replaces reports that a killed process has lost.
 */
export function makeVisitReportReceiver({
  visits,
  allowsVisit,
  allowsGroup,
  clock,
  log,
}: Pick<RateLimits, 'allowsVisit' | 'allowsGroup'> & {
  readonly visits: Pick<VisitStore, 'save'>
  readonly clock: () => number
  readonly log: Logger
}) {
  const waiting = new Map<string, Visit>()
  const add = (head: RequestHead, visit: Visit): void => {
    const earlier = waiting.get(visit.id)
    if (earlier === undefined && waiting.size >= maxWaitingVisits) return
    if (!allowsVisit(head, visit.id)) return
    const allowed = refusesTracking(head) ? removeAttribution(visit) : visit
    const reported = allowsGroup(head, allowed) ? allowed : toOtherGroup(allowed)
    waiting.set(visit.id, earlier ? mergeVisits(earlier, reported) : reported)
  }
  /** Stores the waiting reports. Drops a visit that the database refuses; while the store is down, all visits wait. */
  const store = async (): Promise<number> => {
    const reported = [...waiting.values()]
    if (reported.length === 0) return storeEveryMs
    const commit = async (batch: readonly Visit[]) => {
      await visits.save(batch, clock())
      return batch
    }
    for (let begin = 0; begin < reported.length; begin += visitsPerSave) {
      const batch = reported.slice(begin, begin + visitsPerSave)
      const results = await commitWithoutFaultyItems(batch, { commit, isItemFault: isInvalidRow })
      for (const result of results) {
        if (result.status === 'fulfilled') continue
        if (!isInvalidRow(result.reason)) throw result.reason
        log.warn({ err: result.reason }, 'a visit cannot be stored; it is dropped')
      }
      for (const visit of batch) {
        // A visit stays in the queue if its next report arrived while its earlier report was being stored.
        if (waiting.get(visit.id) === visit) waiting.delete(visit.id)
      }
    }
    return storeEveryMs
  }
  const failureLog = makeFailureLog(log, {
    begins: `reports of visits cannot be stored; up to ${maxWaitingVisits} visits wait for the next try`,
    ends: 'reports of visits are stored again',
  })
  const loop = makePollingLoop(store, failureLog, storeEveryMs)
  return {
    /** @param body the body of `POST /api/events`; malformed parts are dropped */
    receive: (head: RequestHead, body: string, affiliate: string | undefined): void => {
      const report = parseVisitReport(body)
      if (report === undefined) return
      const { attribution: text, ...visit } = report
      add(head, { ...visit, ...findNames(head, text), affiliate: affiliate ?? null })
    },
    receivePostedStep: (head: RequestHead, step: PostedStep): void => {
      const openMs = clock() - step.startedAt
      if (openMs >= 0 && openMs <= maxVisitMs) add(head, toPostedVisit(step, openMs))
    },
    start: loop.start,
    stop: async () => {
      await loop.stop()
      await store().catch((err: unknown) =>
        log.warn({ err }, 'the last reports of visits are lost'),
      )
    },
  }
}

const removeAttribution = (visit: Visit): Visit => ({
  ...visit,
  source: null,
  campaign: null,
  affiliate: null,
})

function findNames(head: RequestHead, text: string): Pick<Visit, 'source' | 'campaign'> {
  const attribution = parseAttribution(head, text)
  return { source: findSource(attribution), campaign: findCampaign(attribution) }
}

function toPostedVisit(
  { startedAt: _, from, to, refused, ...visit }: PostedStep,
  openMs: number,
): Visit {
  const furthest = Math.max(from, to)
  const shown = Array.from({ length: furthest + 1 }, (_, step) =>
    step === to && to < from ? 2 : 1,
  )
  return {
    ...visit,
    device: 'none',
    progress: { openMs, isStarted: true, step: to, shown, visibleMs: [], refused, vitals: {} },
  }
}
