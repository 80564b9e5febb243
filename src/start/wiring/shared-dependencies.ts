import type { Logger } from 'pino'
import { makeOverviewReader } from '#server/alerts/overview-reader.ts'
import type { Settings } from '#server/config/settings.ts'
import {
  makeLoopFailureLogs,
  makeReadinessCheck,
} from '#server/platform/observability/failure-log.ts'
import type { Store } from '#server/store/open-store.ts'
import { makeMetrics } from './metrics.ts'
import { makeThirdPartyClients } from './third-parties.ts'

interface ProcessDependencies {
  readonly settings: Settings
  readonly store: Store
  readonly log: Logger
  /** Returns epoch milliseconds. */
  readonly clock: () => number
}

export type SharedDependencies = ReturnType<typeof makeSharedDependencies>

export function makeSharedDependencies(
  process: ProcessDependencies,
  sandboxUrl: string | undefined,
) {
  const { settings, store, log, clock } = process
  const checkStore = makeReadinessCheck(store.ready, log)
  const metrics = makeMetrics({ ...store, checkStore, clock, log })
  return {
    ...process,
    checkStore,
    metrics,
    readOverview: makeOverviewReader({ ...process, checkStore }),
    thirdParties: makeThirdPartyClients(settings, sandboxUrl, metrics.countThirdPartyCall, clock),
    failureLogOf: makeLoopFailureLogs(log),
  }
}
