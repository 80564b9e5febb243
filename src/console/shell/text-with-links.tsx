import { toAnchor } from '#domain/text/to-anchor.ts'

/** Shows a text in which each named document, such as `docs/runbook.md, “Leads are dead”`, links to the document. */
export const TextWithLinks = ({ text }: { text: string }) =>
  text
    .split(/(docs\/[a-z-]+\.md(?:, “[^”]+”)?)/)
    .map((part, index) => (index % 2 === 0 ? part : <DocumentLink key={part} name={part} />))

function DocumentLink({ name }: { name: string }) {
  const [path, heading] = name.split(/, “|”/)
  const anchor = heading === undefined ? '' : `#${toAnchor(heading)}`
  return <a href={`/${path}${anchor}`}>{name}</a>
}
