import type { Challenge } from 'altcha-lib'
import type { RequestHead } from '#server/http/request-head.ts'
import type { CompleteEnquiry } from '#server/use-cases/leads/new-lead.ts'
import type { NetworkStanding } from '../../limits/lead-limit.ts'
import { enquiryDigest } from '../enquiry-digest.ts'
import type { ProofOfWork } from './proof-of-work.ts'

interface NetworkCheckPorts {
  readonly networkStanding: (head: RequestHead) => NetworkStanding
  readonly proofOfWork: ProofOfWork
}

/** What a proof is for: the work is done for one enquiry, not for a key with other enquiries under it. */
type AskedAgain = Pick<CompleteEnquiry, 'area' | 'answers'> & { readonly idempotencyKey: string }

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
    prove: async (
      head: RequestHead,
      { idempotencyKey, ...enquiry }: AskedAgain,
      altcha: string | undefined,
    ): Promise<Proven> => {
      if (standing(head) === 'quiet') return { network: 'quiet' }
      const key = enquiryDigest(idempotencyKey, enquiry)
      if (altcha !== undefined && (await proofOfWork.isSolved(key, altcha))) {
        return { network: 'busy and proven' }
      }
      return { network: 'busy', challenge: await proofOfWork.challenge(key) }
    },
  }
}

export type NetworkCheck = ReturnType<typeof makeNetworkCheck>
