import type { EnquiryProps } from '../enquiry-props.ts'

/** Beside the draft, for as long. */
const place = 'enquiry-opened'

/**
 * From opening the first page of the enquiry until now, in milliseconds: a reload does not begin anew. Undefined where
 * the form began before this page and nobody wrote down when. Never less than it was, should the clock be set back.
 */
export function timeSinceOpening({ posted }: Pick<EnquiryProps, 'posted'>): number | undefined {
  const openedAt = rememberOpening(posted ? undefined : performance.timeOrigin)
  if (openedAt === undefined) return undefined
  return Math.round(Math.max(performance.now(), Date.now() - openedAt))
}

/** @param now when this page was opened, where the enquiry may begin with it */
function rememberOpening(now: number | undefined): number | undefined {
  try {
    const known = sessionStorage.getItem(place)
    if (known !== null) return Number(known)
    if (now !== undefined) sessionStorage.setItem(place, String(now))
  } catch {
    // Where storage is forbidden a reload loses the enquiry, too.
  }
  return now
}

export function forgetOpening(): void {
  try {
    sessionStorage.removeItem(place)
  } catch {
    // Nothing was stored where storage is forbidden.
  }
}
