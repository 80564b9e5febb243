import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import * as v from 'valibot'
import type { PasskeyCeremony } from '../sign-in/passkeys.ts'

/** It brings a megabyte of certificate formats: loaded when the first passkey is asked for. */
const webAuthn = () => import('@simplewebauthn/server')

const answer = v.looseObject({ id: v.pipe(v.string(), v.maxLength(1400)) })

/** @param origin the console's; its name is what passkeys are bound to */
export function makePasskeyCeremony(origin: () => string): PasskeyCeremony {
  const here = () => ({ expectedOrigin: origin(), expectedRPID: new URL(origin()).hostname })
  return {
    askOptions: async (challenge, allowed) => {
      const { generateAuthenticationOptions } = await webAuthn()
      return generateAuthenticationOptions({
        rpID: here().expectedRPID,
        challenge: bytesOf(challenge),
        allowCredentials: allowed.map(({ id }) => ({ id })),
        userVerification: 'required',
      })
    },
    addOptions: async (challenge, { id, email }, known) => {
      const { generateRegistrationOptions } = await webAuthn()
      return generateRegistrationOptions({
        rpName: 'Campus Enquiry console',
        rpID: here().expectedRPID,
        userID: new TextEncoder().encode(id),
        userName: email,
        challenge: bytesOf(challenge),
        attestationType: 'none',
        excludeCredentials: known.map((passkey) => ({ id: passkey.id })),
        // So that it signs in without an email address being typed.
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
    },
    idOf: (given) => (v.is(answer, given) ? given.id : ''),
    checkAnswer: async (given, { id, publicKey, counter }, isChallenge) => {
      if (!v.is(answer, given)) return undefined
      const { verifyAuthenticationResponse } = await webAuthn()
      const result = await verifyAuthenticationResponse({
        // It checks each part itself, and throws.
        response: given as unknown as AuthenticationResponseJSON,
        expectedChallenge: isChallenge,
        ...here(),
        credential: { id, publicKey: bytesOf(publicKey), counter },
        requireUserVerification: true,
      }).catch(() => undefined)
      return result?.verified ? result.authenticationInfo.newCounter : undefined
    },
    checkNew: async (given, isChallenge) => {
      if (!v.is(answer, given)) return undefined
      const { verifyRegistrationResponse } = await webAuthn()
      const result = await verifyRegistrationResponse({
        response: given as unknown as RegistrationResponseJSON,
        expectedChallenge: isChallenge,
        ...here(),
        requireUserVerification: true,
      }).catch(() => undefined)
      if (!result?.verified) return undefined
      const { id, publicKey, counter } = result.registrationInfo.credential
      return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter }
    },
  }
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(text, 'base64url'))
