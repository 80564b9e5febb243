import {
  type Challenge,
  createChallenge,
  type Payload,
  randomInt,
  verifySolution,
} from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import * as v from 'valibot'
import type { RequestHead } from '#server/platform/http/request-head.ts'
import type { RateLimits } from './rate-limits.ts'
import { digestEnquiry } from './submit-enquiry.ts'

/**
 * The amount of work: a random number of key derivations between `fewest` and `most`, each with `iterations` rounds. A
 * desktop's browser needs about 40 ms, and a phone six times as slow needs 0.2 to 0.3 s. The server needs one derivation
 * to make a challenge and none to check a solution (docs/abuse.md has the measurement).
 */
export const workAmount = { iterations: 500, fewest: 200, most: 350 } as const

/** How long a challenge is valid, in milliseconds: enough for a slow phone on a slow connection. */
const validFor = 10 * 60 * 1000

interface ProofOfWorkDependencies {
  /** The secret is the same for every process, so that each process can check the others' challenges. */
  readonly secret: () => Promise<string>
  /** Epoch milliseconds. */
  readonly clock: () => number
}

/** ALTCHA's proof of work, version 2 (https://altcha.org). Each challenge is valid for one enquiry only. */
export function makeProofOfWork({ secret, clock }: ProofOfWorkDependencies) {
  const secrets = async () => {
    const storeSecret = await secret()
    return {
      hmacSignatureSecret: `challenge ${storeSecret}`,
      hmacKeySignatureSecret: `key ${storeSecret}`,
    }
  }
  return {
    /** @param key identifies the enquiry; see `digestEnquiry` */
    challenge: async (key: string): Promise<Challenge> =>
      createChallenge({
        ...(await secrets()),
        algorithm: 'PBKDF2/SHA-256',
        cost: workAmount.iterations,
        counter: randomInt(workAmount.most, workAmount.fewest),
        data: { key },
        expiresAt: new Date(clock() + validFor),
        deriveKey,
      }),
    /** Whether `altcha` solves a challenge that was made for the same enquiry. */
    isSolved: async (key: string, altcha: string): Promise<boolean> => {
      const proof = parseProof(altcha)
      if (proof?.challenge.parameters.data?.key !== key) return false
      const { verified } = await verifySolution({ ...proof, ...(await secrets()), deriveKey })
      return verified
    },
  }
}

export type ProofOfWork = ReturnType<typeof makeProofOfWork>

const hex = v.pipe(v.string(), v.regex(/^(?:[\da-f]{2})+$/))

/**
 * The fields of our own challenges, which the signature proves to be ours. Other fields are dropped, because deeply
 * nested data could overflow the call stack.
 */
const proof = v.object({
  challenge: v.object({
    parameters: v.object({
      algorithm: v.string(),
      nonce: hex,
      salt: hex,
      cost: v.number(),
      keyLength: v.number(),
      keyPrefix: v.string(),
      keySignature: hex,
      expiresAt: v.number(),
      data: v.object({ key: v.string() }),
    }),
    signature: v.string(),
  }),
  solution: v.object({ counter: v.number(), derivedKey: hex }),
})

/** Reads ALTCHA's payload, which is base64 of JSON; undefined if it is invalid. */
export function parseProof(altcha: string): Payload | undefined {
  try {
    const json: unknown = JSON.parse(Buffer.from(altcha, 'base64').toString('utf8'))
    const result = v.safeParse(proof, json)
    return result.success ? result.output : undefined
  } catch {
    return undefined
  }
}

export type NetworkCheckResult =
  | { readonly network: 'quiet' | 'busy and proven' }
  /** The browser must solve the challenge and send the enquiry again with the solution. */
  | { readonly network: 'busy'; readonly challenge: Challenge }

/** Asks for a proof of work only if a network sends unusually many leads. */
export function makeNetworkCheck(loadOf: RateLimits['networkLoad'], proofOfWork: ProofOfWork) {
  return {
    loadOf,
    /**
     * Checks the proof of an enquiry from a busy network. A proof is valid for one enquiry's content, so that other
     * enquiries cannot reuse it.
     * @param altcha the proof that came with the enquiry
     */
    prove: async (
      head: RequestHead,
      {
        idempotencyKey,
        ...enquiry
      }: Parameters<typeof digestEnquiry>[1] & { readonly idempotencyKey: string },
      altcha: string | undefined,
    ): Promise<NetworkCheckResult> => {
      if (loadOf(head) === 'quiet') return { network: 'quiet' }
      const key = digestEnquiry(idempotencyKey, enquiry)
      if (altcha !== undefined && (await proofOfWork.isSolved(key, altcha))) {
        return { network: 'busy and proven' }
      }
      return { network: 'busy', challenge: await proofOfWork.challenge(key) }
    },
  }
}
