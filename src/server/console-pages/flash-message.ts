import { areSecretsEqual, signText } from '#server/operators/secrets.ts'
import type { ConsoleContext } from './console-env.ts'
import type { SessionCookie } from './security/session-cookie.ts'

/** The result of an action, in words and without personal data. */
export interface FlashMessage {
  readonly kind: 'well' | 'note' | 'problem'
  readonly heading: string
  readonly text?: string | undefined
  /** The id of a lead that the notice links to. */
  readonly lead?: string | undefined
}

const name = 'console-notice'

/**
 * Passes the result of an action to the page that the operator is redirected to, in a cookie that is read once. The
 * session's secret signs the cookie, so that only the console can make one.
 */
export const makeFlashMessages = (cookie: SessionCookie) => ({
  redirect: (c: ConsoleContext, address: string, notice: FlashMessage): Response => {
    const payload = Buffer.from(JSON.stringify(notice)).toString('base64url')
    cookie.write(c, name, `${payload}.${signMessage(c, payload)}`, 60)
    return c.redirect(address, 303)
  },
  take: (c: ConsoleContext): FlashMessage | undefined => {
    const [payload = '', signature = ''] = cookie.take(c, name).split('.')
    if (!areSecretsEqual(signature, signMessage(c, payload))) return undefined
    return JSON.parse(Buffer.from(payload, 'base64url').toString())
  },
})

const signMessage = (c: ConsoleContext, payload: string): string =>
  signText(c.get('secret'), `notice ${payload}`)
