import type { SignInContext } from './operator.ts'
import { areSecretsEqual, makeSecret, signText } from './secrets.ts'

/** How long a browser is known after its first sign-in, in seconds. */
export const knownBrowserLifetime = 180 * 24 * 60 * 60

type Context = Pick<SignInContext, 'sharedSecret'>

/**
 * Makes the cookie of a browser that has signed in to an account. Attempts of a known browser are counted separately,
 * so that other people's guesses don't lock the operator out. The cookie is valid for one account and doesn't show
 * which.
 */
export async function makeKnownBrowserCookie(context: Context, email: string): Promise<string> {
  const id = makeSecret().slice(0, 22)
  return `${id}.${await signBrowserId(context, email, id)}`
}

/** Returns the id that a browser's attempts are counted under; undefined if its cookie is forged or for another account. */
export async function readKnownBrowserId(
  context: Context,
  email: string,
  cookie: string,
): Promise<string | undefined> {
  const [id = '', signature = ''] = cookie.split('.')
  return areSecretsEqual(signature, await signBrowserId(context, email, id)) ? id : undefined
}

const signBrowserId = async (
  { sharedSecret }: Context,
  email: string,
  id: string,
): Promise<string> =>
  signText(await sharedSecret('console known browsers'), JSON.stringify([email, id]))
