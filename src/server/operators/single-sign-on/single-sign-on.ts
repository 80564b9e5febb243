import type { AuditLog } from '../audit/audit.ts'
import type { ConfirmOwn } from '../sessions/confirm-own.ts'
import type { Browser, KeepSessions } from '../sessions/keep-sessions.ts'
import { actorOf } from '../sessions/keep-sessions.ts'
import type { OpenSession } from '../sessions/operator-sessions.ts'
import { letIn } from '../sign-in/let-in.ts'
import { type AdmitPorts, type Admitted, makeAdmitIdentity } from './admit-identity.ts'
import type { Identity, IdentityProvider } from './identity-provider.ts'
import type { SignOnTrips, Trip, TripPurpose } from './sign-on-trips.ts'

interface SignOnPorts extends AdmitPorts {
  readonly provider: IdentityProvider
  readonly trips: SignOnTrips
  readonly keepSessions: KeepSessions
  readonly confirmOwn: Pick<ConfirmOwn, 'confirmed'>
  readonly audit: AuditLog
  readonly clock: () => number
}

export type SignOnOutcome =
  /** The browser's new secret. */
  | { readonly kind: 'in'; readonly secret: string }
  /** It is still they: what asks again is done for a while. */
  | { readonly kind: 'confirmed' }
  | Exclude<Admitted, { kind: 'admitted' }>
  /** To confirm, somebody else signed in, or the provider does not say that they did so just now. */
  | { readonly kind: 'not confirmed' }
  /** The browser was not sent there, or too long ago; or the answer was used. */
  | { readonly kind: 'stale' }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'away' }

/** What the browser came back with. */
export interface Answer {
  /** What follows the question mark. */
  readonly query: string
  readonly ticket: string
  readonly browserSecret: string
  readonly session: OpenSession | undefined
}

/** Clocks differ; in milliseconds. */
const clocksDiffer = 30_000

/** Sign-in by an OpenID Connect provider. */
export function makeSingleSignOn(ports: SignOnPorts) {
  const { provider, trips, identities, keepSessions, confirmOwn, audit, clock } = ports
  const admit = makeAdmitIdentity(ports)

  const enter = async (identity: Identity, from: Browser): Promise<SignOnOutcome> => {
    const admitted = await admit(identity, from)
    if (admitted.kind !== 'admitted') return admitted
    const { operator } = admitted
    // Who was signed in there all day has not shown just now that it is they.
    const lastAuthenticatedAt = Math.min(identity.authenticatedAt ?? 0, clock())
    const by = { kind: 'single sign-on', identity } as const
    const shown = { operator, from, reason: 'by single sign-on', by, lastAuthenticatedAt }
    const secret = await letIn({ keepSessions, audit, clock }, shown)
    return secret === undefined ? { kind: 'stale' } : { kind: 'in', secret }
  }
  const confirm = async (
    identity: Identity,
    { beganAt }: Trip,
    session: OpenSession | undefined,
    from: Browser,
  ): Promise<SignOnOutcome> => {
    const isTheirs =
      session !== undefined && (await identities.find(identity)) === session.operator.id
    const isNew = (identity.authenticatedAt ?? 0) >= beganAt - clocksDiffer
    if (!isTheirs || !isNew) return { kind: 'not confirmed' }
    await confirmOwn.confirmed({
      actor: actorOf(session, from.network),
      sessionId: session.id,
    })
    return { kind: 'confirmed' }
  }

  return {
    isAway: () => provider.isAway(),
    /** Where the browser goes, and the ticket that it keeps; undefined where the provider cannot be reached. */
    begin: async (
      purpose: TripPurpose,
      { browserSecret, asksAnew }: { browserSecret: string; asksAnew: boolean },
    ) => {
      const { ticket, secrets } = await trips.begin(purpose, browserSecret)
      const address = await provider.addressFor(secrets, { asksAnew })
      return address === undefined ? undefined : { address: address.href, ticket }
    },
    end: async (answer: Answer, from: Browser): Promise<SignOnOutcome> => {
      const { query, ticket, browserSecret, session } = answer
      const state = new URLSearchParams(query).get('state') ?? ''
      const trip = await trips.end(ticket, browserSecret, state)
      if (trip === undefined) return { kind: 'stale' }
      const identified = await provider.identify(query, trip)
      if (identified.kind !== 'known') return identified
      return trip.purpose === 'confirm'
        ? confirm(identified.identity, trip, session, from)
        : enter(identified.identity, from)
    },
    /** Whether the operator can show by it that it is they. */
    isWayOf: (operatorId: string) => identities.isKnownAt(provider.issuer, operatorId),
  }
}

export type SingleSignOn = ReturnType<typeof makeSingleSignOn>
