import type { InProcessProduct } from '#tests/product/start-in-process.ts'
import { openConsole, type SignedIn, signedIn, visitor } from './console-visitor.ts'

export const examplePassword = 'four words nobody says'

/** An operator whom an admin has invited, and who has signed in with a password. */
export async function operatorOf(
  product: Pick<InProcessProduct, 'consoleLink'>,
  admin: SignedIn,
  role: string,
): Promise<SignedIn> {
  const email = `${role}${Math.random()}@example.com`
  const invited = await (await admin.post('/operators', { email, role })).text()
  const code = /invitation\?code=([\w-]+)/.exec(invited)?.[1] ?? ''
  const guest = await visitor(openConsole(product))
  const reply = await guest.post('/sign-in/invitation', { code, password: examplePassword })
  return signedIn(openConsole(product), reply)
}
