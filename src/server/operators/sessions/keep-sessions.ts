import { randomUUID } from 'node:crypto'
import type { ConsoleActor, Operator } from '../operator.ts'
import { hashOf, newSecret } from '../secrets.ts'
import type { OpenSession, OperatorSessions, SessionAge, SignedInBy } from './operator-sessions.ts'

const hour = 60 * 60 * 1000

/** Without a request, and in all. */
export const sessionTimes = { idle: 8 * hour, whole: 24 * hour } as const

/** That somebody was there is written once in so long, in milliseconds: a write a page would be one a tab a second. */
const seenEvery = 60_000

/** A browser's words about itself are long, and its sender's. */
const longestBrowser = 200

/** From where a browser speaks. */
export interface Browser {
  readonly network: string
  readonly browser: string
}

/** @param now epoch milliseconds */
export const sessionAge = (now: number): SessionAge => ({
  beganSince: now - sessionTimes.whole,
  seenSince: now - sessionTimes.idle,
})

/** Sessions are opaque: the browser has a secret, the store its hash. Any console process knows them all. */
export function makeKeepSessions(sessions: OperatorSessions, clock: () => number) {
  const age = () => sessionAge(clock())
  const find = (secret: string) => sessions.find(hashOf(secret), age())
  return {
    /**
     * Resolves with the browser's secret: a new one each time, whatever it had before. Undefined where the operator was disabled or
     * what they signed in by was changed meanwhile.
     * @param lastAuthenticatedAt when they showed that it is they; now, where they just did
     */
    begin: async (
      { id }: Pick<Operator, 'id'>,
      from: Browser,
      by: SignedInBy,
      lastAuthenticatedAt = clock(),
    ): Promise<string | undefined> => {
      const secret = newSecret()
      const now = clock()
      await sessions.forgetClosed(age())
      const session = {
        id: randomUUID(),
        beganAt: now,
        seenAt: now,
        lastAuthenticatedAt,
        network: from.network,
        browser: from.browser.slice(0, longestBrowser),
      }
      return (await sessions.open(hashOf(secret), id, session, by)) ? secret : undefined
    },
    /** For what nobody has pressed: a page that follows by itself keeps no session open. */
    find,
    /** And writes down that somebody was there. */
    findInUse: async (secret: string): Promise<OpenSession | undefined> => {
      const session = await find(secret)
      const now = clock()
      // A store that takes no writes still shows its pages: they say what is wrong.
      if (session && now - session.seenAt > seenEvery) {
        await sessions.seen(session.id, now).catch(() => undefined)
      }
      return session
    },
    listOf: (operatorId: string) => sessions.list(operatorId, age()),
  }
}

export type KeepSessions = ReturnType<typeof makeKeepSessions>

export const actorOf = (
  { operator, lastAuthenticatedAt }: OpenSession,
  network: string,
): ConsoleActor => ({
  kind: 'console',
  id: operator.id,
  email: operator.email,
  role: operator.role,
  lastAuthenticatedAt,
  network,
})
