import { Counter, type Registry } from 'prom-client'

interface ClosedCounter<Label extends string> {
  readonly name: string
  readonly help: string
  readonly registry: Registry
  /** Every combination of labels that it is ever counted by. */
  readonly all: readonly Readonly<Record<Label, string>>[]
}

/**
 * A counter that is there from the start, with 0 for each of its labels: of one that begins with its first event,
 * Prometheus sees no increase, and a burst at a new process is missed.
 */
export function counterFromZero<Label extends string>({
  name,
  help,
  registry,
  all,
}: ClosedCounter<Label>): Counter<Label> {
  const labelNames = Object.keys(all[0] ?? {}) as Label[]
  const counter = new Counter({ name, help, labelNames, registers: [registry] })
  for (const labels of all) counter.inc(labels, 0)
  return counter
}
