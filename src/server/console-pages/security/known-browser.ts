import { createMiddleware } from 'hono/factory'
import type { KnownBrowsers } from '#server/operators/sign-in/known-browsers.ts'
import { emailAddress } from '#server/platform/email-address.ts'
import type { ConsoleContext, ConsoleEnv } from '../console-env.ts'
import type { SessionCookie } from './session-cookie.ts'

interface KnownBrowserPorts {
  readonly cookie: SessionCookie
  readonly knownBrowsers: KnownBrowsers
}

/** What a browser's tries for an account are counted by; undefined where it has not signed in to that account. */
export const makeKnownBrowserOf =
  ({ cookie, knownBrowsers }: KnownBrowserPorts) =>
  async (c: ConsoleContext, email: string): Promise<string | undefined> => {
    const account = emailAddress(email)
    return knownBrowsers.idOf(account, cookie.known(c, await knownBrowsers.nameFor(account)))
  }

export type KnownBrowserOf = ReturnType<typeof makeKnownBrowserOf>

/** Whoever has a session is known from now on, however they signed in. */
export const rememberBrowser = ({ cookie, knownBrowsers }: KnownBrowserPorts) =>
  createMiddleware<ConsoleEnv>(async (c, next) => {
    await next()
    const email = c.get('session')?.operator.email
    if (email === undefined) return
    const name = await knownBrowsers.nameFor(email)
    if (await knownBrowsers.isFresh(email, cookie.known(c, name))) return
    cookie.keepKnown(c, name, await knownBrowsers.make(email))
  })
