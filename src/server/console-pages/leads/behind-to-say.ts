import type { BehindNoticeProps } from '#console/leads/lead-table.tsx'
import type { Behind } from '#server/leads/list/lead-finder.ts'

/** What nobody would notice is not said: a list follows within a second. */
const unnoticedMs = 2000

/** @param now epoch milliseconds */
export function behindToSay(
  behind: Behind | undefined,
  now: number,
): BehindNoticeProps | undefined {
  if (behind === undefined || now - behind.since < unnoticedMs) return undefined
  const { since, changes, isAll } = behind
  const counted = `${changes.toLocaleString('en-US')} ${changes === 1 ? 'change' : 'changes'}`
  return { since, changes: isAll ? counted : `more than ${counted}` }
}
