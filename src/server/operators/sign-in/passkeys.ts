import type { AcceptInvitation, AcceptOutcome } from '../accept-invitation.ts'
import { type AuditLog, audited } from '../audit/audit.ts'
import { authorise } from '../authorise.ts'
import type { ConsoleActor, Operator } from '../operator.ts'
import type { OperatorAccounts } from '../operator-accounts.ts'
import type { Browser, KeepSessions } from '../sessions/keep-sessions.ts'
import { letIn } from './let-in.ts'
import { mostPasskeys, type OperatorCredentials, type Passkey } from './operator-credentials.ts'

/** What the browser and its authenticator say to each other, in WebAuthn's own words. */
export interface PasskeyCeremony {
  /** For `navigator.credentials.get`; `allowed` none: whichever the person has for this console. */
  askOptions(challenge: string, allowed: readonly Passkey[]): Promise<object>
  /** For `navigator.credentials.create`. */
  addOptions(
    challenge: string,
    operator: Pick<Operator, 'id' | 'email'>,
    known: readonly Passkey[],
  ): Promise<object>
  /** The new counter; undefined where the answer is not this passkey's to this challenge. */
  checkAnswer(
    answer: unknown,
    passkey: Passkey,
    isChallenge: IsChallenge,
  ): Promise<number | undefined>
  checkNew(answer: unknown, isChallenge: IsChallenge): Promise<NewPasskey | undefined>
  /** The passkey that an answer names; empty where it names none. */
  idOf(answer: unknown): string
}

export type IsChallenge = (challenge: string) => Promise<boolean>

export type NewPasskey = Pick<Passkey, 'id' | 'publicKey' | 'counter'>

/** A challenge is of one browser and for some minutes; nothing is stored for it. */
export interface Challenges {
  make(secret: string): Promise<string>
  isOf(secret: string, challenge: string): Promise<boolean>
}

interface PasskeyPorts {
  readonly accounts: OperatorAccounts
  readonly credentials: OperatorCredentials
  readonly ceremony: PasskeyCeremony
  readonly challenges: Challenges
  readonly keepSessions: KeepSessions
  readonly invitation: AcceptInvitation
  readonly audit: AuditLog
  readonly clock: () => number
}

const notVerified = 'The passkey could not be verified, so it was not added. Try again.'

const notAdded = {
  known: 'This passkey is already registered, so it was not added. Use another one.',
  'too many': `An account has at most ${mostPasskeys} passkeys, so this one was not added. Remove one first.`,
} as const

/** @param secret the browser's, which a challenge is bound to */
export function makePasskeys(ports: PasskeyPorts) {
  const { accounts, credentials, ceremony, challenges, keepSessions, invitation, audit, clock } =
    ports
  const isChallengeOf = (secret: string) => (challenge: string) =>
    challenges.isOf(secret, challenge)

  /** The passkey's operator, who may have been disabled since. */
  const ownerOf = async (answer: unknown, secret: string) => {
    const passkey = await credentials.findPasskey(ceremony.idOf(answer))
    if (passkey === undefined) return undefined
    const counter = await ceremony.checkAnswer(answer, passkey, isChallengeOf(secret))
    const operator = counter === undefined ? undefined : await accounts.find(passkey.operatorId)
    if (counter === undefined || operator === undefined || operator.disabledAt !== null)
      return undefined
    await credentials.passkeyUsed(passkey.id, counter, clock())
    return { operator, passkeyId: passkey.id }
  }
  const add = (operatorId: string, passkey: NewPasskey) =>
    credentials.addPasskey({ ...passkey, operatorId, createdAt: clock() })
  const addOptionsFor = async (operator: Pick<Operator, 'id' | 'email'>, secret: string) =>
    ceremony.addOptions(
      await challenges.make(secret),
      operator,
      await credentials.passkeys(operator.id),
    )

  return {
    signInOptions: async (secret: string) => ceremony.askOptions(await challenges.make(secret), []),
    /** Resolves with the browser's new secret. */
    signIn: async (answer: unknown, secret: string, from: Browser): Promise<string | undefined> => {
      const owner = await ownerOf(answer, secret)
      if (owner === undefined) return undefined
      const { operator, passkeyId } = owner
      const by = { kind: 'passkey', id: passkeyId } as const
      const shown = { operator, from, reason: 'by passkey', by }
      return letIn({ keepSessions, audit, clock }, shown)
    },
    confirmOptions: async ({ id }: ConsoleActor, secret: string) =>
      ceremony.askOptions(await challenges.make(secret), await credentials.passkeys(id)),
    /** Whether the answer is of the operator who is signed in. */
    isOwn: async (answer: unknown, secret: string, { id }: ConsoleActor): Promise<boolean> =>
      (await ownerOf(answer, secret))?.operator.id === id,
    addOptions: async (actor: ConsoleActor, secret: string) => {
      authorise(actor, 'change own sign-in', clock())
      return addOptionsFor(actor, secret)
    },
    /** Resolves with why it was not added, in words; undefined where it was. */
    add: async (
      actor: ConsoleActor,
      answer: unknown,
      secret: string,
    ): Promise<string | undefined> => {
      authorise(actor, 'change own sign-in', clock())
      const passkey = await ceremony.checkNew(answer, isChallengeOf(secret))
      if (passkey === undefined) return notVerified
      const outcome = await audited(
        audit,
        { actor, at: clock(), action: 'added a passkey' },
        () => add(actor.id, passkey),
        (outcome) => (outcome === 'added' ? 'done' : `not added: ${notAdded[outcome]}`),
      )
      return outcome === 'added' ? undefined : notAdded[outcome]
    },
    invitationOptions: async (code: string, secret: string): Promise<object | undefined> => {
      const operator = await invitation.find(code)
      return operator && addOptionsFor(operator, secret)
    },
    acceptInvitation: async (
      { code, answer, secret }: { code: string; answer: unknown; secret: string },
      from: Browser,
    ): Promise<AcceptOutcome> => {
      const passkey = await ceremony.checkNew(answer, isChallengeOf(secret))
      if (passkey === undefined) return { kind: 'fault', fault: notVerified }
      // Before the invitation is spent on it.
      if ((await credentials.findPasskey(passkey.id)) !== undefined) {
        return { kind: 'fault', fault: notAdded.known }
      }
      const reason = 'by an invitation, with a passkey'
      return invitation.accept(
        { code, from, reason },
        async ({ id }) => (await add(id, passkey)) === 'added',
      )
    },
  }
}

export type Passkeys = ReturnType<typeof makePasskeys>
