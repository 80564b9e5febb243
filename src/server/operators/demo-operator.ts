import { randomUUIDv7 } from 'node:crypto'
import type { OperatorAccounts } from './operator-accounts.ts'
import type { OperatorLinks } from './operator-links.ts'
import { makeSignInLink } from './sign-in/sign-in-by-link.ts'

/** Nobody's: example.com receives no mail. */
export const demoEmail = 'demo@example.com'

const day = 24 * 60 * 60 * 1000

/**
 * A link that signs the demo's admin in, once. It is made at each start and ends the one of before.
 * @param origin the console's
 */
export async function demoSignInLink(
  { accounts, links }: { readonly accounts: OperatorAccounts; readonly links: OperatorLinks },
  origin: string,
  now: number,
): Promise<string> {
  await accounts.add({
    id: randomUUIDv7(),
    email: demoEmail,
    role: 'admin',
    createdAt: now,
    disabledAt: null,
  })
  const { id = '' } = (await accounts.findByEmail(demoEmail)) ?? {}
  await accounts.enable(id)
  const code = await makeSignInLink(links, id, now + day)
  return `${origin}/sign-in?code=${code}`
}

/** In production the demo's admin, of a store that was tried out before, may do nothing any more; its link is no key. */
export async function disableDemoOperator(accounts: OperatorAccounts, now: number): Promise<void> {
  const operator = await accounts.findByEmail(demoEmail)
  if (operator?.disabledAt === null) await accounts.disable(operator.id, now)
}
