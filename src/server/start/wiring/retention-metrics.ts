import { Gauge, type Registry } from 'prom-client'

/** Whether the privacy policy's promise is kept. Absent if no retention runs. */
export function addRetentionMetrics(registry: Registry) {
  const endedAt = new Gauge({
    name: 'retention_ended_timestamp_seconds',
    help: 'When this process last ended all that is over its time, in seconds since 1970; 0 until it first has; none where RETENTION_DAYS is not set',
    registers: [registry],
  })
  endedAt.remove()
  return {
    retentionBegins: () => endedAt.set(0),
    retentionEnded: () => endedAt.setToCurrentTime(),
  }
}
