import type { Registry } from 'prom-client'
import { counterFromZero } from './counter-from-zero.ts'

const classes = ['2xx', '3xx', '4xx', '5xx'] as const

/** What was answered, to whomever and whatever was asked. */
export function addHttpMetrics(registry: Registry) {
  const responses = counterFromZero({
    name: 'http_responses_total',
    help: 'HTTP answers of this process, monitors’ included, by class of status',
    registry,
    all: classes.map((status) => ({ status })),
  })
  const countOf = new Map(
    classes.map((status) => [Number(status[0]), responses.labels({ status })] as const),
  )
  return {
    countResponse: (status: number) => countOf.get(Math.floor(status / 100))?.inc(),
  }
}
