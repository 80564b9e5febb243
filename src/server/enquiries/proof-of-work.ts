import { hash } from 'node:crypto'
import {
  type Challenge,
  createChallenge,
  type Payload,
  randomInt,
  verifySolution,
} from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import * as v from 'valibot'
import { day } from '#domain/durations.ts'
import type { RequestHead } from '#server/platform/http/request-head.ts'
import type { RateLimits } from './rate-limits.ts'
import type { CheckedEnquiry } from './submit-enquiry.ts'

/** A browser derives `fewest` to `most` keys in `iterations` rounds each: 40 ms on a desktop (docs/abuse.md). */
const workAmount = { iterations: 500, fewest: 200, most: 350 } as const

/** How long a challenge is valid, in milliseconds: long enough for a slow phone on a slow connection. */
const validFor = 10 * 60 * 1000
/** The library compares a challenge's end with the machine's clock, which may be wrong by hours. */
const allowedSkew = day

interface ProofOfWorkDependencies {
  /** Returns the secret of all processes on the store, so that each process can check the others' challenges. */
  readonly secret: () => Promise<string>
  readonly clock: () => number
  readonly findNetworkLoad: RateLimits['findNetworkLoad']
}

/** Makes and checks challenges of ALTCHA, version 2 (https://altcha.org). A challenge is for one enquiry only. */
export function makeProofOfWork({ secret, clock, findNetworkLoad }: ProofOfWorkDependencies) {
  const secrets = async () => {
    const storeSecret = await secret()
    return {
      hmacSignatureSecret: `challenge ${storeSecret}`,
      hmacKeySignatureSecret: `key ${storeSecret}`,
    }
  }
  /** @param key identifies the enquiry */
  const challenge = async (key: string): Promise<Challenge> =>
    createChallenge({
      ...(await secrets()),
      algorithm: 'PBKDF2/SHA-256',
      cost: workAmount.iterations,
      counter: randomInt(workAmount.most, workAmount.fewest),
      data: { key },
      expiresAt: new Date(clock() + validFor + allowedSkew),
      deriveKey,
    })
  const isSolved = async (key: string, altcha: string): Promise<boolean> => {
    const proof = parseProof(altcha)
    if (proof?.challenge.parameters.data?.key !== key) return false
    const expiresAt = Number(proof.challenge.parameters.expiresAt) * 1000 - allowedSkew
    if (expiresAt < clock()) return false
    const { verified } = await verifySolution({ ...proof, ...(await secrets()), deriveKey })
    return verified
  }
  return {
    challenge,
    /**
     * Requires a proof of work only if a network sends unusually many leads. With a challenge in the result, the
     * browser must solve it and send the enquiry again with the solution.
     * @param altcha the solved challenge that came with the enquiry; undefined without one
     */
    check: async (
      head: RequestHead,
      { area, answers }: Pick<CheckedEnquiry, 'area' | 'answers'>,
      idempotencyKey: string,
      altcha: string | undefined,
    ) => {
      if (findNetworkLoad(head) === 'quiet') return { network: 'quiet' } as const
      const key = hash('sha256', JSON.stringify([idempotencyKey, area, answers]))
      if (altcha !== undefined && (await isSolved(key, altcha))) {
        return { network: 'busy and proven' } as const
      }
      return { network: 'busy', challenge: await challenge(key) } as const
    },
  }
}

const hex = v.pipe(v.string(), v.regex(/^(?:[\da-f]{2})+$/))

/** A solved challenge. The schema drops all other fields, because deeply nested data could overflow the call stack. */
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

const proofText = v.pipe(v.string(), v.parseJson(), proof)

/** Reads ALTCHA's payload, which is base64 of JSON; undefined if it is invalid. */
function parseProof(altcha: string): Payload | undefined {
  const result = v.safeParse(proofText, Buffer.from(altcha, 'base64').toString('utf8'))
  return result.success ? result.output : undefined
}
