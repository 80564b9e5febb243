import { createHmac } from 'node:crypto'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import * as v from 'valibot'
import { findAccount } from './accounts.ts'
import { audited } from './audit.ts'
import { authorise } from './authorise.ts'
import {
  findPasskey,
  insertPasskey,
  listPasskeys,
  maxPasskeys,
  type Passkey,
  recordPasskeyUse,
} from './credentials.ts'
import type { Browser, ConsoleActor, Operator, SignInContext } from './operator.ts'
import { type AcceptOutcome, acceptInvitation, completeSignIn, findInvited } from './sign-in.ts'

/** Loaded for the first passkey, since it brings a megabyte of certificate formats. */
const webAuthn = () => import('@simplewebauthn/server')

/** For `navigator.credentials.get`. @param secret the browser's, which the challenge is bound to */
export const signInOptions = (context: SignInContext, secret: string): Promise<object> =>
  requestOptions(context, secret, [])

/** Resolves with the browser's new secret; undefined where the answer isn't valid. */
export async function signInByPasskey(
  context: SignInContext,
  answer: unknown,
  secret: string,
  from: Browser,
): Promise<string | undefined> {
  const owner = await verifyOwner(context, answer, secret)
  if (owner === undefined) return undefined
  const { operator, passkeyId } = owner
  const by = { kind: 'passkey', id: passkeyId } as const
  return completeSignIn(context, { operator, from, reason: 'by passkey', by })
}

/** For `navigator.credentials.get` with one of the operator's own passkeys. */
export const confirmOptions = async (
  context: SignInContext,
  { id }: ConsoleActor,
  secret: string,
): Promise<object> => requestOptions(context, secret, await listPasskeys(context.db, id))

/** Whether the answer is valid and the signed-in operator's. */
export const isOwnPasskey = async (
  context: SignInContext,
  answer: unknown,
  secret: string,
  { id }: ConsoleActor,
): Promise<boolean> => (await verifyOwner(context, answer, secret))?.operator.id === id

/** For `navigator.credentials.create`. */
export async function addPasskeyOptions(
  context: SignInContext,
  actor: ConsoleActor,
  secret: string,
): Promise<object> {
  authorise(actor, 'change own sign-in', context.clock())
  return creationOptions(context, actor, secret)
}

const notVerified = 'The passkey could not be verified, so it was not added. Try again.'

const notAdded = {
  known: 'This passkey is already registered, so it was not added. Use another one.',
  'too many': `An account has at most ${maxPasskeys} passkeys, so this one was not added. Remove one first.`,
} as const

/** Resolves with the reason why it was not added, in words; undefined where it was. */
export async function addPasskey(
  context: SignInContext,
  actor: ConsoleActor,
  answer: unknown,
  secret: string,
): Promise<string | undefined> {
  const { audit, clock } = context
  authorise(actor, 'change own sign-in', clock())
  const passkey = await verifyNew(context, answer, secret)
  if (passkey === undefined) return notVerified
  const outcome = await audited(
    audit,
    { actor, at: clock(), action: 'added a passkey' },
    () => add(context, actor.id, passkey),
    (outcome) => (outcome === 'added' ? 'done' : `not added: ${notAdded[outcome]}`),
  )
  return outcome === 'added' ? undefined : notAdded[outcome]
}

/** For `navigator.credentials.create`; undefined where the invitation isn't valid any more. */
export async function invitationOptions(
  context: SignInContext,
  code: string,
  secret: string,
): Promise<object | undefined> {
  const operator = await findInvited(context, code)
  return operator && creationOptions(context, operator, secret)
}

/** An answer that isn't valid doesn't use the invitation up. */
export async function acceptInvitationByPasskey(
  context: SignInContext,
  { code, answer, secret }: { code: string; answer: unknown; secret: string },
  from: Browser,
): Promise<AcceptOutcome> {
  const passkey = await verifyNew(context, answer, secret)
  if (passkey === undefined) return { kind: 'fault', fault: notVerified }
  if ((await findPasskey(context.db, passkey.id)) !== undefined) {
    return { kind: 'fault', fault: notAdded.known }
  }
  const reason = 'by an invitation, with a passkey'
  return acceptInvitation(
    context,
    { code, from, reason },
    async ({ id }) => (await add(context, id, passkey)) === 'added',
  )
}

type NewPasskey = Pick<Passkey, 'id' | 'publicKey' | 'counter'>

const add = ({ db, clock }: SignInContext, operatorId: string, passkey: NewPasskey) =>
  insertPasskey(db, { ...passkey, operatorId, createdAt: clock() })

/** The enabled operator whose passkey gave the answer. */
async function verifyOwner(context: SignInContext, answer: unknown, secret: string) {
  const { db, clock } = context
  const passkey = v.is(answerShape, answer) ? await findPasskey(db, answer.id) : undefined
  if (passkey === undefined) return undefined
  const counter = await verifyAnswer(context, answer, passkey, secret)
  const operator = counter === undefined ? undefined : await findAccount(db, passkey.operatorId)
  if (counter === undefined || operator === undefined || operator.disabledAt !== null) {
    return undefined
  }
  await recordPasskeyUse(db, passkey.id, { counter, at: clock() })
  return { operator, passkeyId: passkey.id }
}

const answerShape = v.looseObject({ id: v.pipe(v.string(), v.maxLength(1400)) })

const relyingParty = ({ origin }: SignInContext) => ({
  expectedOrigin: origin(),
  expectedRPID: new URL(origin()).hostname,
})

/** @param allowed none: any passkey that the person has for this console */
async function requestOptions(
  context: SignInContext,
  secret: string,
  allowed: readonly Passkey[],
): Promise<object> {
  const { generateAuthenticationOptions } = await webAuthn()
  return generateAuthenticationOptions({
    rpID: relyingParty(context).expectedRPID,
    challenge: bytesOf(await newChallenge(context, secret)),
    allowCredentials: allowed.map(({ id }) => ({ id })),
    userVerification: 'required',
  })
}

async function creationOptions(
  context: SignInContext,
  { id, email }: Pick<Operator, 'id' | 'email'>,
  secret: string,
): Promise<object> {
  const { generateRegistrationOptions } = await webAuthn()
  const known = await listPasskeys(context.db, id)
  return generateRegistrationOptions({
    rpName: 'Campus Enquiry console',
    rpID: relyingParty(context).expectedRPID,
    userID: new TextEncoder().encode(id),
    userName: email,
    challenge: bytesOf(await newChallenge(context, secret)),
    attestationType: 'none',
    excludeCredentials: known.map((passkey) => ({ id: passkey.id })),
    // So that it signs in without an email address being typed.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** The passkey's new counter; undefined where the answer isn't its answer to this browser's challenge. */
async function verifyAnswer(
  context: SignInContext,
  answer: unknown,
  { id, publicKey, counter }: Passkey,
  secret: string,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await webAuthn()
  const result = await verifyAuthenticationResponse({
    // The library checks each part itself, and throws.
    response: answer as AuthenticationResponseJSON,
    expectedChallenge: (challenge) => isChallenge(context, secret, challenge),
    ...relyingParty(context),
    credential: { id, publicKey: bytesOf(publicKey), counter },
    requireUserVerification: true,
  }).catch(() => undefined)
  return result?.verified ? result.authenticationInfo.newCounter : undefined
}

async function verifyNew(
  context: SignInContext,
  answer: unknown,
  secret: string,
): Promise<NewPasskey | undefined> {
  if (!v.is(answerShape, answer)) return undefined
  const { verifyRegistrationResponse } = await webAuthn()
  const result = await verifyRegistrationResponse({
    response: answer as unknown as RegistrationResponseJSON,
    expectedChallenge: (challenge) => isChallenge(context, secret, challenge),
    ...relyingParty(context),
    requireUserVerification: true,
  }).catch(() => undefined)
  if (!result?.verified) return undefined
  const { id, publicKey, counter } = result.registrationInfo.credential
  return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter }
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(text, 'base64url'))

/** A challenge holds for one to two of these, in milliseconds: people look for their phone. */
const challengeSpan = 5 * 60 * 1000

/**
 * A challenge is derived from the store's secret, the browser's and the time, so that any process recognizes it and nothing is
 * stored for it. Signing in gives the browser another secret, so an answer can't be used again.
 */
async function challengeAt({ sharedSecret }: SignInContext, secret: string, span: number) {
  return createHmac('sha256', await sharedSecret('console challenges'))
    .update(`${span} ${secret}`)
    .digest('base64url')
}

const spanAt = ({ clock }: SignInContext) => Math.floor(clock() / challengeSpan)

const newChallenge = (context: SignInContext, secret: string): Promise<string> =>
  challengeAt(context, secret, spanAt(context))

async function isChallenge(context: SignInContext, secret: string, challenge: string) {
  const span = spanAt(context)
  const valid = await Promise.all([
    challengeAt(context, secret, span),
    challengeAt(context, secret, span - 1),
  ])
  return valid.includes(challenge)
}
