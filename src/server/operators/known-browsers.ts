import type { SignInContext } from './operator.ts'
import { isSameSecret, newSecret, sign } from './secrets.ts'

const day = 24 * 60 * 60 * 1000

/** How long a browser is known after its last session, in milliseconds. */
export const knownBrowserLifetime = 180 * day

/** A cookie older than this many milliseconds is renewed when its operator makes a request. */
const renewedAfter = 30 * day

type Context = Pick<SignInContext, 'sharedSecret' | 'clock'>

/* A known browser has signed in to an account before, and its cookie proves that. The cookie only gives the browser
   attempts of its own, so that other people's guesses don't lock the operator out. Each cookie is signed for one
   account, and only this console can tell from its name for which. */

/** The name of an account's cookie, whether or not the account exists. */
export const knownBrowserCookie = async (context: Context, email: string): Promise<string> =>
  `console-known-${(await signParts(context, 'name', email)).slice(0, 16)}`

/** Returns the id by which a browser's attempts are counted; undefined if its cookie is another account's, expired or forged. */
export const knownBrowserId = async (
  context: Context,
  email: string,
  cookie: string,
): Promise<string | undefined> => (await readCookie(context, email, cookie))?.id

/** Makes a new cookie if the browser's cookie is missing, invalid or old; otherwise returns undefined. */
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
  const [id = '', madeAt = '', signature = ''] = cookie.split('.')
  const isOurs = isSameSecret(signature, await signParts(context, 'browser', email, id, madeAt))
  const age = context.clock() - Number(madeAt)
  return isOurs && age < knownBrowserLifetime ? { id, age } : undefined
}

const signParts = async ({ sharedSecret }: Context, ...parts: readonly string[]): Promise<string> =>
  sign(await sharedSecret('console known browsers'), JSON.stringify(parts))
