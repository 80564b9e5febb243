import { ofOwnActs } from '#domain/operator/guessing.ts'
import { guessKey, type SignInFailures } from '../sign-in/sign-in-failures.ts'
import { SlowDownError } from '../slow-down-error.ts'
import type { AuditAction, AuditLog } from './audit.ts'

/** What each role does to its own account. To sign out or end a session takes one that was begun, which is counted. */
const ownActs: ReadonlySet<AuditAction> = new Set([
  'signed in',
  'was asked again',
  'was refused',
  'set a password',
  'added a passkey',
  'removed a passkey',
])

/**
 * The audit, which nothing is removed from, for who may add to it by signing in over and over: after a hundred such acts each
 * waits, so that no role can fill the disk.
 * @throws SlowDownError from `record`; nothing was written down or done
 */
export const slowOwnActs = (
  audit: AuditLog,
  failures: Pick<SignInFailures, 'begin'>,
): AuditLog => ({
  ...audit,
  record: async (actor, entry, at) => {
    if (actor.kind === 'console' && ownActs.has(entry.action)) {
      const counted = [{ key: guessKey('own acts', actor.id), slowing: ofOwnActs }]
      const begun = await failures.begin(counted, at)
      if (begun.kind === 'wait') throw new SlowDownError(Math.ceil((begun.until - at) / 1000))
    }
    return audit.record(actor, entry, at)
  },
})
