import { ApiError } from '../../api/api-error.ts'
import { isSiteReached } from '../../api/own-page.ts'

/** How often in a row a call did not come through. */
let failedCalls = 0

export function callCameThrough(): void {
  failedCalls = 0
}

/**
 * Whether something in the visitor's browser keeps scripts from calling us, while the browser itself can: an extension, or
 * cookies that are not taken any more. The second call that did not come through tells, where the site can be reached; the
 * third tells anyway, as the same may keep us from finding out. Not asked where the line is down: see `sendEnquiry`.
 */
export async function isKeptFromCalling(error: unknown): Promise<boolean> {
  // Ours, by its detail: others on the way would refuse the browser's own post, too.
  if (error instanceof ApiError) return error.status === 403 && error.problem.detail !== undefined
  // What fetch throws where there was no reply.
  if (!(error instanceof TypeError)) return false
  failedCalls += 1
  if (failedCalls < 2) return false
  return failedCalls > 2 || (await isSiteReached())
}
