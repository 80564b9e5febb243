import type { Challenge } from 'altcha-lib'
import type { RequestHead } from '#server/platform/http/request-head.ts'
import { enquiryDigest } from '../enquiry-digest.ts'
import type { NetworkLoad } from '../limits/lead-limit.ts'
import type { CompleteEnquiry } from '../new-lead.ts'
import type { ProofOfWork } from './proof-of-work.ts'

interface NetworkCheckPorts {
  readonly networkLoad: (head: RequestHead) => NetworkLoad
  readonly proofOfWork: ProofOfWork
}

/** What a proof is for: the work is done for one enquiry, not for a key with other enquiries under it. */
type AskedAgain = Pick<CompleteEnquiry, 'area' | 'answers'> & { readonly idempotencyKey: string }

export type Proven =
  | { readonly network: 'quiet' | 'busy and proven' }
  /** To be solved, and sent along with the same enquiry. */
  | { readonly network: 'busy'; readonly challenge: Challenge }

/** Asks those whose network sends unusually much for a proof of work, and nobody else. */
export function makeNetworkCheck({ networkLoad, proofOfWork }: NetworkCheckPorts) {
  const loadOf = (head: RequestHead): 'quiet' | 'busy' =>
    networkLoad(head) === 'busy' ? 'busy' : 'quiet'
  return {
    loadOf,
    /** @param altcha the proof that came with the enquiry */
    prove: async (
      head: RequestHead,
      { idempotencyKey, ...enquiry }: AskedAgain,
      altcha: string | undefined,
    ): Promise<Proven> => {
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
