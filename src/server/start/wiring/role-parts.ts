import type { Logger } from 'pino'
import type { Settings } from '#server/config/settings.ts'
import type { makeLoopFailureLogs } from '#server/platform/observability/failure-log.ts'
import type { Store } from '#server/store/open-store.ts'
import type { Metrics } from './metrics.ts'
import type { ThirdPartyClients } from './third-parties.ts'

/** The parts that every role is built from. */
export interface RoleParts {
  readonly settings: Settings
  readonly store: Store
  readonly outside: ThirdPartyClients
  readonly metrics: Metrics
  readonly log: Logger
  /** Returns epoch milliseconds. */
  readonly clock: () => number
  readonly failureLogOf: ReturnType<typeof makeLoopFailureLogs>
}
