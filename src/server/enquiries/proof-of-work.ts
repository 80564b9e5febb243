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
import { Lazy } from '#server/platform/memory.ts'
import type { NetworkLoad } from './rate-limits.ts'
import { enquiryDigest } from './submit-enquiry.ts'

/**
 * The work: as many derivations as the counter says, of so many iterations each. About 40 ms in a desktop's browser and
 * so 0.2 to 0.3 s on a phone six times as slow; making a challenge costs one derivation and checking a solution none
 * (docs/abuse.md has the measurement).
 */
export const work = { iterations: 500, fewest: 200, most: 350 } as const

/** Long enough for the slowest phone on the slowest line. In milliseconds. */
const validFor = 10 * 60 * 1000

interface ProofOfWorkParts {
  /** The same for every process, so that one can check what another has asked for. */
  readonly secret: () => Promise<string>
  /** Epoch milliseconds. */
  readonly clock: () => number
}

/** ALTCHA's proof of work, version 2 (https://altcha.org): challenges that only one enquiry can answer. */
export function makeProofOfWork({ secret, clock }: ProofOfWorkParts) {
  const secrets = new Lazy(async () => {
    const known = await secret()
    return { hmacSignatureSecret: `challenge ${known}`, hmacKeySignatureSecret: `key ${known}` }
  })
  return {
    /** @param key names the enquiry: see `enquiryDigest` */
    challenge: async (key: string): Promise<Challenge> =>
      createChallenge({
        ...(await secrets.get()),
        algorithm: 'PBKDF2/SHA-256',
        cost: work.iterations,
        counter: randomInt(work.most, work.fewest),
        data: { key },
        expiresAt: new Date(clock() + validFor),
        deriveKey,
      }),
    /** Whether this is the solution of a challenge that was made for the same enquiry. */
    isSolved: async (key: string, altcha: string): Promise<boolean> => {
      const proof = readProof(altcha)
      if (proof?.challenge.parameters.data?.key !== key) return false
      const { verified } = await verifySolution({ ...proof, ...(await secrets.get()), deriveKey })
      return verified
    },
  }
}

export type ProofOfWork = ReturnType<typeof makeProofOfWork>

const hex = v.pipe(v.string(), v.regex(/^(?:[\da-f]{2})+$/))

/**
 * All fields of our own challenges: the signature shows whether it is ours. Other members are
 * ignored: a deep nesting could otherwise overflow the call stack.
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

/** Reads ALTCHA's payload, base64 of JSON; undefined if it is invalid. */
export function readProof(altcha: string): Payload | undefined {
  try {
    const json: unknown = JSON.parse(Buffer.from(altcha, 'base64').toString('utf8'))
    const result = v.safeParse(proof, json)
    return result.success ? result.output : undefined
  } catch {
    return undefined
  }
}

interface NetworkCheckParts {
  readonly networkLoad: (head: RequestHead) => NetworkLoad
  readonly proofOfWork: ProofOfWork
}

export type ProofResult =
  | { readonly network: 'quiet' | 'busy and proven' }
  /** To be solved, and sent along with the same enquiry. */
  | { readonly network: 'busy'; readonly challenge: Challenge }

/** Asks only networks that send unusually much for a proof of work. */
export function makeNetworkCheck({ networkLoad, proofOfWork }: NetworkCheckParts) {
  const loadOf = (head: RequestHead): 'quiet' | 'busy' =>
    networkLoad(head) === 'busy' ? 'busy' : 'quiet'
  return {
    loadOf,
    /**
     * A proof counts for one enquiry's content, not for a key that other enquiries could use.
     * @param altcha the proof that came with the enquiry
     */
    prove: async (
      head: RequestHead,
      {
        idempotencyKey,
        ...enquiry
      }: Parameters<typeof enquiryDigest>[1] & { readonly idempotencyKey: string },
      altcha: string | undefined,
    ): Promise<ProofResult> => {
      if (loadOf(head) === 'quiet') return { network: 'quiet' }
      const key = enquiryDigest(idempotencyKey, enquiry)
      if (altcha !== undefined && (await proofOfWork.isSolved(key, altcha))) {
        return { network: 'busy and proven' }
      }
      return { network: 'busy', challenge: await proofOfWork.challenge(key) }
    },
  }
}

export type NetworkCheck = ReturnType<typeof makeNetworkCheck>
