const clock = new Intl.DateTimeFormat('en-US', { timeStyle: 'medium', hour12: false })

/** A time of day on this machine's clock. */
export const Moment = ({ at }: { readonly at: number }) => (
  <time dateTime={new Date(at).toISOString()}>{clock.format(at)}</time>
)
