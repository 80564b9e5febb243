import { VisitorsPace } from '#server/jobs/visitors-pace.ts'
import { RepeatedWork } from '#server/platform/loops/repeated-work.ts'
import type { LoopTrouble } from '#server/platform/observability/troubles/loop-troubles.ts'
import type { LeadNews } from '../live/live-news.ts'

interface Followed {
  readonly changes: number
  readonly mayBeMore: boolean
  readonly news?: LeadNews
}

export interface FollowerPorts {
  /** See `LeadIndex`. */
  readonly pace: { readonly least: number; readonly share: number }
  /** Brings so many changes into the index. */
  readonly follow: (take: number) => Promise<Followed>
  /** Told what it has brought into it. */
  readonly onNews?: (news: LeadNews) => void
  /** The store's, which is told seldom. */
  readonly trouble: LoopTrouble
}

/** How soon a change is seen, in milliseconds: a look where nothing has changed reads one row. */
const lookEvery = 500

/** Lets the console's lists follow what happens. It may run in several processes: the store lets one at it at a time. */
export function makeLeadIndexFollower({
  pace: { least, share },
  follow,
  onNews,
  trouble,
}: FollowerPorts): RepeatedWork {
  // After a move or an upgrade every lead is a change: whoever enquires meanwhile is not to feel it.
  const pace = new VisitorsPace(least, share)
  return new RepeatedWork(
    async () => {
      const begunAt = performance.now()
      const { changes, mayBeMore, news } = await follow(pace.next(Number.MAX_SAFE_INTEGER))
      if (news !== undefined) onNews?.(news)
      const pause = pace.took(performance.now() - begunAt, changes)
      return mayBeMore && changes > 0 ? pause : lookEvery
    },
    { trouble, againAfter: lookEvery },
  )
}
