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

export type SharedDependencies = ReturnType<typeof makeSharedDependencies>

/** Makes what several roles of a process use. */
export function makeSharedDependencies(
  { settings, log }: { readonly settings: Settings; readonly log: Logger },
  store: Store,
  sandboxUrl: string | undefined,
) {
  const { clock } = store
  const checkStore = makeReadinessCheck(store.ready, log)
  const metrics = makeMetrics({ ...store, checkStore, clock, log })
  return {
    settings,
    store,
    log,
    clock,
    checkStore,
    metrics,
    readOverview: makeOverviewReader({ settings, store, clock, checkStore }),
    thirdParties: makeThirdPartyClients(settings, sandboxUrl, metrics.countThirdPartyCall, clock),
    failureLogOf: makeLoopFailureLogs(log),
  }
}
