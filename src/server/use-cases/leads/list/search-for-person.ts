import { authorise } from '../../operators/authorise.ts'
import type { ConsoleActor } from '../../operators/operator.ts'
import type { LeadFinder } from './lead-finder.ts'

interface SearchPorts {
  readonly finder: Pick<LeadFinder, 'keysOf' | 'searches'>
  readonly clock: () => number
}

/**
 * Keeps what is searched for, as hashes, and resolves with an opaque id for addresses; undefined where the text is nothing
 * that leads are searched by.
 */
export const makeSearchForPerson =
  ({ finder, clock }: SearchPorts) =>
  async (actor: ConsoleActor, text: string): Promise<string | undefined> => {
    const now = clock()
    authorise(actor, 'see leads', now)
    const keys = await finder.keysOf(text)
    return keys.length === 0 ? undefined : finder.searches.keep(actor.id, keys, now)
  }
