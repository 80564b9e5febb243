import type { LoopFailureLog } from '#server/platform/observability/failure-log.ts'
import { PollingLoop } from '#server/platform/polling-loop.ts'

/** Leads in one transaction; SQLite's other writers wait for it. */
const take = 100
/** In milliseconds, while there are more: the writers' turn is three times as long. */
const betweenMs = 100
const lookEveryMs = 10_000

interface EarlierLeadsJob {
  readonly indexEarlierLeads: (take: number) => Promise<number>
  readonly failureLog: LoopFailureLog
}

/** Makes leads that a process of the previous release has stored searchable by person, affiliate, state and program. */
export const makeEarlierLeadsJob = ({ indexEarlierLeads, failureLog }: EarlierLeadsJob) =>
  new PollingLoop(
    async () => ((await indexEarlierLeads(take)) === take ? betweenMs : lookEveryMs),
    {
      failureLog,
      againAfter: lookEveryMs,
    },
  )
