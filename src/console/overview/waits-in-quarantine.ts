import { counted } from '#domain/text/counted.ts'
import type { Trouble } from './trouble.ts'
import type { OverviewFacts } from './troubles.ts'

/** Nothing is wrong, and nobody has to get up for it: the alert waits for eight hours. It is said all the same. */
export const waitsInQuarantine = ({
  quarantined: { count, since },
}: Pick<OverviewFacts, 'quarantined'>): Trouble | undefined =>
  count === 0
    ? undefined
    : {
        kind: 'note',
        what: `${counted(count, 'lead waits', 'leads wait')} in quarantine`,
        since: since === undefined ? undefined : { words: 'The oldest was received', at: since },
        more: 'None is delivered until an operator releases it, and somebody’s enquiry may be among them.',
        todo: 'Go through them: release who is a person.',
        list: { words: 'Go through the quarantine', href: '/quarantine' },
        section: 'Leads wait in quarantine',
      }
