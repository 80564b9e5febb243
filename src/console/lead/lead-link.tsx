/** Another lead, by its plain address. */
export const LeadLink = ({ id }: { id: string }) => (
  <a href={`/leads/${id}`}>
    <code>{id}</code>
  </a>
)

export const LeadLinks = ({ ids }: { ids: readonly string[] }) =>
  ids.map((id, index) => (
    <span key={id}>
      {index > 0 && ', '}
      <LeadLink id={id} />
    </span>
  ))
