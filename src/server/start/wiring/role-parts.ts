import type { Logger } from 'pino'
import type { Settings } from '#server/config/settings.ts'
import { makeCheckStore, makeLoopFailureLogs } from '#server/platform/observability/failure-log.ts'
import type { Store } from '#server/store/open-store.ts'
import { makeMetrics } from './metrics.ts'
import { makeThirdPartyClients } from './third-parties.ts'

interface ProcessParts {
  readonly settings: Settings
  readonly store: Store
  readonly log: Logger
  /** Returns epoch milliseconds. */
  readonly clock: () => number
}

export type RoleParts = ReturnType<typeof makeRoleParts>

/** Makes the parts that all roles share. */
export function makeRoleParts(parts: ProcessParts, sandboxUrl: string | undefined) {
  const { settings, store, log, clock } = parts
  const checkStore = makeCheckStore(store.ready, log)
  const metrics = makeMetrics({ ...store, checkStore, clock, log })
  return {
    ...parts,
    checkStore,
    metrics,
    outside: makeThirdPartyClients(settings, sandboxUrl, metrics.countThirdPartyCall),
    failureLogOf: makeLoopFailureLogs(log),
  }
}
