import type { Logger } from 'pino'
import type { AddressServicePorts } from './address-services.ts'

/** How often the same is said again while it lasts, in milliseconds: a refused key meets every visitor. */
const sayAgainAfter = 60_000

/** These do not end by themselves. */
const needsOperator: ReadonlySet<string> = new Set(['refused-key', 'bad-request'])

/**
 * Tells the operator that a lookup was not answered: at once, then once a minute for each service and reason.
 * @param clock milliseconds of any origin
 */
export function makeLookupTrouble(
  log: Logger,
  clock: () => number = () => performance.now(),
): AddressServicePorts['onUnavailable'] {
  const said = new Map<string, { at: number; silently: number }>()
  return (service, reason) => {
    const key = `${service} ${reason}`
    const last = said.get(key)
    if (last && clock() - last.at < sayAgainAfter) {
      last.silently += 1
      return
    }
    said.set(key, { at: clock(), silently: 0 })
    const line = { service, reason, alsoSinceLast: last?.silently ?? 0 }
    if (needsOperator.has(reason)) log.error(line, 'lookup not answered')
    else log.warn(line, 'lookup not answered')
  }
}
