import type { Unreadable } from './lead.ts'

/** Why, and what to do. */
export const unreadableInWords = ({ parts, isNewer }: Unreadable): string =>
  isNewer
    ? 'a newer release has written it, which this one cannot read: use that one.'
    : `what is stored of it cannot be read (${parts.join(', ')}): docs/runbook.md, “A lead cannot be read”.`
