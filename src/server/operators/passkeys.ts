import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import * as v from 'valibot'
import { findAccount } from './accounts.ts'
import { authorize } from './authorize.ts'
import {
  type Credential,
  findCredential,
  listCredentials,
  type NewCredential,
  recordCredentialUse,
} from './credentials.ts'
import { findOneTimeLink } from './one-time-links.ts'
import type { ConsoleActor, Operator, RequestSource } from './operator.ts'
import type { SignInContext } from './operator-context.ts'
import { signText } from './secrets.ts'
import { completeSignIn, completeStepUp, type OwnSession } from './sign-in.ts'

/** Loads the library on first use, because it contains a megabyte of certificate formats. */
const loadWebAuthn = () => import('@simplewebauthn/server')

/** Signs an operator in by passkey. Resolves with the browser's new secret; undefined if the response isn't valid. */
export async function signInByPasskey(
  context: SignInContext,
  response: unknown,
  secret: string,
  from: RequestSource,
): Promise<string | undefined> {
  const passkey = await verifyResponse(context, response, secret)
  if (passkey === undefined) return undefined
  const operator = await findAccount(context.db, passkey.operatorId)
  if (operator?.disabledAt !== null) return undefined
  return completeSignIn(context, { operator, from, by: passkey })
}

/** Confirms the operator's identity. @returns false unless one of their own passkeys made the response */
export async function confirmByPasskey(
  context: SignInContext,
  own: OwnSession,
  response: unknown,
  secret: string,
): Promise<boolean> {
  const passkey = await verifyResponse(context, response, secret)
  if (passkey?.operatorId !== own.actor.id) return false
  await completeStepUp(context, own)
  return true
}

export function makeNewPasskeyOptions(
  context: SignInContext,
  actor: ConsoleActor,
  secret: string,
): Promise<object> {
  authorize(actor, 'change your sign-in', context.clock())
  return makeCreationOptions(context, actor, secret)
}

/** Makes options for an invited operator's first passkey; undefined if the invitation is no longer valid. */
export async function makeInvitationPasskeyOptions(
  context: SignInContext,
  code: string,
  secret: string,
): Promise<object | undefined> {
  const operator = await findOneTimeLink(context.db, code, 'invitation', context.clock())
  return operator && makeCreationOptions(context, operator, secret)
}

const responseShape = v.looseObject({ id: v.pipe(v.string(), v.maxLength(1400)) })

const makeRelyingParty = ({ origin }: SignInContext) => ({
  expectedOrigin: origin(),
  expectedRPID: new URL(origin()).hostname,
})

/**
 * Makes options for `navigator.credentials.get`.
 * @param secret the browser's secret, which the challenge is bound to
 * @param operatorId the operator whose passkeys are accepted; if absent, any passkey for this console is accepted
 */
export async function makePasskeyRequestOptions(
  context: SignInContext,
  secret: string,
  operatorId?: string,
): Promise<object> {
  const { generateAuthenticationOptions } = await loadWebAuthn()
  const allowed = operatorId ? (await listCredentials(context.db, operatorId)).passkeys : []
  return generateAuthenticationOptions({
    rpID: makeRelyingParty(context).expectedRPID,
    challenge: toBytes(await deriveChallenge(context, secret)),
    allowCredentials: allowed.map(({ id }) => ({ id })),
    userVerification: 'required',
  })
}

async function makeCreationOptions(
  context: SignInContext,
  { id, email }: Pick<Operator, 'id' | 'email'>,
  secret: string,
): Promise<object> {
  const { generateRegistrationOptions } = await loadWebAuthn()
  const { passkeys } = await listCredentials(context.db, id)
  return generateRegistrationOptions({
    rpName: 'Campus Enquiry console',
    rpID: makeRelyingParty(context).expectedRPID,
    userID: new TextEncoder().encode(id),
    userName: email,
    challenge: toBytes(await deriveChallenge(context, secret)),
    attestationType: 'none',
    excludeCredentials: passkeys.map((passkey) => ({ id: passkey.id })),
    // With a resident key, the operator signs in without typing an email address.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** Finds the passkey that signed a response; undefined if the response isn't valid for this browser's challenge. */
async function verifyResponse(
  context: SignInContext,
  response: unknown,
  secret: string,
): Promise<Credential | undefined> {
  const { db, clock } = context
  if (!v.is(responseShape, response)) return undefined
  const passkey = await findCredential(db, { kind: 'passkey', id: response.id })
  if (passkey === undefined) return undefined
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  const result = await verifyAuthenticationResponse({
    // The library checks each part of the response, and throws if it is invalid.
    response: response as unknown as AuthenticationResponseJSON,
    expectedChallenge: (challenge) => isValidChallenge(context, secret, challenge),
    ...makeRelyingParty(context),
    credential: { ...passkey, publicKey: toBytes(passkey.secret) },
    requireUserVerification: true,
  }).catch(() => undefined)
  if (!result?.verified) return undefined
  const counter = result.authenticationInfo.newCounter
  await recordCredentialUse(db, { ...passkey, counter }, clock())
  return passkey
}

/** Makes the credential for a new passkey, or returns the reason why the passkey is refused, in words. */
export const makePasskeyCredential =
  (context: SignInContext, response: unknown, secret: string) =>
  async (): Promise<NewCredential | string> => {
    const refused = 'The passkey could not be verified, so it was not added. Try again.'
    if (!v.is(responseShape, response)) return refused
    const { verifyRegistrationResponse } = await loadWebAuthn()
    const result = await verifyRegistrationResponse({
      response: response as unknown as RegistrationResponseJSON,
      expectedChallenge: (challenge) => isValidChallenge(context, secret, challenge),
      ...makeRelyingParty(context),
      requireUserVerification: true,
    }).catch(() => undefined)
    if (!result?.verified) return refused
    const { id, publicKey, counter } = result.registrationInfo.credential
    return { kind: 'passkey', id, secret: Buffer.from(publicKey).toString('base64url'), counter }
  }

const toBytes = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(text, 'base64url'))

/** Milliseconds between challenges. A challenge is valid for 5 to 10 minutes: people have to find their phone. */
const challengeInterval = 5 * 60 * 1000

/**
 * Derives a challenge from the store's secret, the browser's secret and the time, so that any process can check it
 * without storing it. A sign-in gives the browser a new secret, so that a response works only once.
 */
const deriveChallenge = async (
  { readSharedSecret, clock }: SignInContext,
  secret: string,
  age = 0,
) =>
  signText(
    await readSharedSecret('console challenges'),
    `${Math.floor(clock() / challengeInterval) - age} ${secret}`,
  )

const isValidChallenge = async (context: SignInContext, secret: string, challenge: string) =>
  challenge === (await deriveChallenge(context, secret)) ||
  challenge === (await deriveChallenge(context, secret, 1))
