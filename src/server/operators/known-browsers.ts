import type { SignInContext } from './operator.ts'
import { isSameSecret, newSecret, sign } from './secrets.ts'

const day = 24 * 60 * 60 * 1000

/** How long a browser is known after its last session, in milliseconds. */
export const knownBrowserLifetime = 180 * day

/** A cookie older than this is replaced while its operator works, in milliseconds. */
const renewedAfter = 30 * day

type Context = Pick<SignInContext, 'sharedSecret' | 'clock'>

/*
 * Cookies of browsers that have signed in to an account. They allow nothing but attempts of their own, so that other people's
 * guesses don't keep the operator out. Each is signed for one account, and only this console can tell which from its name.
 */

/** The cookie's name for an account, whether the account exists or not. */
export const knownBrowserCookie = async (context: Context, email: string): Promise<string> =>
  `console-known-${(await signParts(context, 'name', email)).slice(0, 16)}`

/** The id that the browser's attempts are counted by; undefined where the cookie is another account's, expired or forged. */
export const knownBrowserId = async (
  context: Context,
  email: string,
  cookie: string,
): Promise<string | undefined> => (await readCookie(context, email, cookie))?.id

/** A new cookie, where the one that the browser has is missing, not valid or old; else undefined. */
export async function renewedKnownBrowser(
  context: Context,
  email: string,
  cookie: string,
): Promise<string | undefined> {
  const known = await readCookie(context, email, cookie)
  if (known !== undefined && known.age < renewedAfter) return undefined
  const id = newSecret().slice(0, 22)
  const madeAt = String(context.clock())
  return `${id}.${madeAt}.${await signParts(context, 'browser', email, id, madeAt)}`
}

async function readCookie(context: Context, email: string, cookie: string) {
  const [id = '', madeAt = '', seal = ''] = cookie.split('.')
  const isOurs = isSameSecret(seal, await signParts(context, 'browser', email, id, madeAt))
  const age = context.clock() - Number(madeAt)
  return isOurs && age < knownBrowserLifetime ? { id, age } : undefined
}

const signParts = async ({ sharedSecret }: Context, ...parts: readonly string[]): Promise<string> =>
  sign(await sharedSecret('console known browsers'), JSON.stringify(parts))
