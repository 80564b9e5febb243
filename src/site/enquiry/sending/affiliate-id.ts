import { affiliateCookie } from '#contract/own-api.ts'
import { readCookie } from '../../api/read-cookie.ts'

let known: string | undefined

/** Whom the visitor came from, as the cookies say; or have said on this page, where they were cleared since. */
export function affiliateId(): string | undefined {
  known = readCookie(affiliateCookie) ?? known
  return known
}
