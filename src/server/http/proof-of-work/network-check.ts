import type { Challenge } from 'altcha-lib'
import type { NetworkStanding } from '../rate-limits/lead-limit.ts'
import type { RequestHead } from '../request-head.ts'
import type { ProofOfWork } from './proof-of-work.ts'

interface NetworkCheckPorts {
  readonly networkStanding: (head: RequestHead) => NetworkStanding
  readonly proofOfWork: ProofOfWork
}

export type Proven =
  | { readonly network: 'quiet' | 'busy and proven' }
  /** To be solved, and sent along with the same enquiry. */
  | { readonly network: 'busy'; readonly challenge: Challenge }

/** Asks those whose network sends unusually much for a proof of work, and nobody else. */
export function makeNetworkCheck({ networkStanding, proofOfWork }: NetworkCheckPorts) {
  const standing = (head: RequestHead): 'quiet' | 'busy' =>
    networkStanding(head) === 'busy' ? 'busy' : 'quiet'
  return {
    standing,
    /** @param altcha the proof that came with the enquiry */
    prove: async (head: RequestHead, key: string, altcha: string | undefined): Promise<Proven> => {
      if (standing(head) === 'quiet') return { network: 'quiet' }
      if (altcha !== undefined && (await proofOfWork.isSolved(key, altcha))) {
        return { network: 'busy and proven' }
      }
      return { network: 'busy', challenge: await proofOfWork.challenge(key) }
    },
  }
}

export type NetworkCheck = ReturnType<typeof makeNetworkCheck>
