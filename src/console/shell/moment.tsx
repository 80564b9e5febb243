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
