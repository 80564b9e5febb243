import { type Challenge, createChallenge, randomInt, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { Lazy } from '#server/platform/memory.ts'
import { readProof } from './read-proof.ts'

/**
 * The work: as many derivations as the counter says, of so many iterations each. About 40 ms in a desktop's browser and
 * so 0.2 to 0.3 s on a phone six times as slow; making a challenge costs one derivation and checking a solution none
 * (docs/abuse.md has the measurement).
 */
export const work = { iterations: 500, fewest: 200, most: 350 } as const

/** Long enough for the slowest phone on the slowest line. In milliseconds. */
const validFor = 10 * 60 * 1000

export interface ProofOfWorkPorts {
  /** The same for every process, so that one may check what another has asked for. */
  readonly secret: () => Promise<string>
  /** Epoch milliseconds. */
  readonly clock: () => number
}

/** ALTCHA's proof of work, version 2 (https://altcha.org): challenges that only one enquiry can answer. */
export function makeProofOfWork({ secret, clock }: ProofOfWorkPorts) {
  const secrets = new Lazy(async () => secretsOf(await secret()))
  return {
    /** @param key names the enquiry: see enquiry-digest.ts */
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

interface Secrets {
  readonly hmacSignatureSecret: string
  readonly hmacKeySignatureSecret: string
}

const secretsOf = (secret: string): Secrets => ({
  hmacSignatureSecret: `challenge ${secret}`,
  hmacKeySignatureSecret: `key ${secret}`,
})
