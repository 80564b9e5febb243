import type { Logger } from 'pino'
import { failureLogs } from '#server/platform/observability/failure-log.ts'
import type { AddressServicePorts } from './address-services.ts'

/** These last until an operator changes a setting. */
const needsOperator: ReadonlySet<string> = new Set(['refused-key', 'bad-request'])

/** Logs each service and reason at once, then once a minute: a refused key fails every visitor's lookup. */
export function makeLookupFailureLog(log: Logger): AddressServicePorts['onUnavailable'] {
  const failureLogOf = failureLogs(log, 'lookup not answered')
  return (service, reason) =>
    failureLogOf(`${service} ${reason}`).failed(
      undefined,
      { service, reason },
      needsOperator.has(reason) ? 'error' : 'warn',
    )
}
