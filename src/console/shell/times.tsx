const written = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})

/** A point in time: in UTC, until the page's script has written it in the operator's zone. The exact one is at hand. */
export function Moment({ at }: { at: number }) {
  const exact = new Date(at).toISOString()
  return (
    <time dateTime={exact} title={exact}>
      {written.format(at)} UTC
    </time>
  )
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const

/** `4 m 12 s`: the two largest units that count; under a second, milliseconds. */
export function durationInWords(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`
  const first = units.findIndex(([, size]) => ms >= size)
  const [unit, size] = units[first] ?? units[3]
  const [nextUnit, nextSize] = units[first + 1] ?? ['', 0]
  const rest = nextSize === 0 ? 0 : Math.floor((ms % size) / nextSize)
  return `${Math.floor(ms / size)} ${unit}${rest === 0 ? '' : ` ${rest} ${nextUnit}`}`
}
