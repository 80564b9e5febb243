import { isLeadId } from '#domain/lead/lead-id.ts'
import type { AuditLog } from '#server/operators/audit.ts'
import { authorise } from '#server/operators/authorise.ts'
import type { ConsoleActor } from '#server/operators/operator.ts'
import { makeRevealInPace } from '../reveal-in-pace.ts'
import type { LeadFinder } from './lead-finder.ts'

interface SearchPorts {
  readonly finder: Pick<LeadFinder, 'keysOf' | 'searches'>
  readonly audit: AuditLog
  readonly onTooMany: () => void
  readonly clock: () => number
}

/**
 * Keeps what is searched for, as hashes, and resolves with an opaque id for addresses; undefined where the text is nothing
 * that leads are searched by. A search for a person confirms personal data, so it takes a permission of its own, counts
 * toward the reveal limit and is in the audit log, without the text (ruling 30). A reference names no person.
 */
export function makeSearchForPerson({ finder, audit, onTooMany, clock }: SearchPorts) {
  const inPace = makeRevealInPace({ audit, onTooMany })
  return async (actor: ConsoleActor, text: string): Promise<string | undefined> => {
    const at = clock()
    authorise(actor, 'see leads', at)
    const keys = await finder.keysOf(text)
    if (keys.length === 0) return undefined
    const keep = () => finder.searches.keep(actor.id, keys, at)
    if (isLeadId(text.trim().toLowerCase())) return keep()
    authorise(actor, 'search for a person', at)
    return inPace(actor, { at, action: 'searched for a person' }, keep)
  }
}
