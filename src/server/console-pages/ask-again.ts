import type { Action } from '#domain/operator/rights.ts'
import type { AskAgainError } from '#server/operators/authorise.ts'
import type { KeepForms } from '#server/operators/sessions/keep-forms.ts'
import { confirmAddress } from './confirm/confirm-path.ts'
import type { ConsoleContext } from './console-env.ts'
import { isRead } from './security/own-requests.ts'
import type { SessionCookie } from './security/session-cookie.ts'

const searching = 'search for a person' satisfies Action

interface AskAgainPorts {
  readonly cookie: SessionCookie
  readonly keepForms: KeepForms
}

/** Leads to the page that asks for passkey or password again, and keeps what was posted. */
export const makeAskAgain =
  ({ cookie, keepForms }: AskAgainPorts) =>
  async (c: ConsoleContext, { action }: AskAgainError): Promise<Response> => {
    const page = pageOf(c)
    const body = isKept(c, action) ? await bodyOf(c) : undefined
    if (body === undefined) {
      cookie.want(c, page)
      return c.redirect(confirmAddress({ isForSearch: action === searching }), 303)
    }
    const form = { path: c.req.path, page, action, body }
    const keptId = await keepForms.keep(form, c.get('secret'), c.get('actor').id)
    return c.redirect(confirmAddress({ keptId }), 303)
  }

/**
 * What a script fetches, it asks for again by itself. A file that is sent leaves the browser where it is, which would be
 * the page that asks: those are asked for once more where they stood. The text of a search is a person's, so nothing keeps it.
 */
function isKept(c: ConsoleContext, action: Action): boolean {
  const goes = c.req.header('sec-fetch-dest') ?? 'document'
  return (
    !isRead(c.req.method) &&
    goes === 'document' &&
    !action.startsWith('export') &&
    action !== searching
  )
}

/** As forms are posted; undefined where a file is among it. */
async function bodyOf(c: ConsoleContext): Promise<string | undefined> {
  const fields: string[][] = []
  for (const [name, value] of await c.req.formData()) {
    if (typeof value !== 'string') return undefined
    fields.push([name, value])
  }
  return new URLSearchParams(fields).toString()
}

/** Where the form stands that was posted; the page itself where one was asked for. */
function pageOf(c: ConsoleContext): string {
  const from = isRead(c.req.method) ? c.req.url : (c.req.header('referer') ?? '')
  if (!URL.canParse(from)) return '/'
  const { pathname, search } = new URL(from)
  return pathname + search
}
