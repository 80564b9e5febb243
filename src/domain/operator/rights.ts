import { isAtLeast, type Role } from './role.ts'

interface Right {
  readonly least: Role
  /** Asked again for passkey or password where the last time is longer ago than {@link strongFor}. */
  readonly asksAgain?: true
}

/**
 * Who may what, once for the console's pages and calls. A use-case asks it, never a page.
 */
export const rights = {
  'see the overview': { least: 'viewer' },
  'see leads': { least: 'viewer' },
  'see deliveries': { least: 'viewer' },
  'see jobs': { least: 'viewer' },
  'save a view': { least: 'viewer' },
  'change own sign-in': { least: 'viewer', asksAgain: true },
  'reveal a lead': { least: 'operator' },
  'search for a person': { least: 'operator' },
  'retry deliveries': { least: 'operator' },
  'settle deliveries': { least: 'operator' },
  'release leads': { least: 'operator' },
  'pause deliveries': { least: 'operator' },
  'run jobs': { least: 'operator' },
  'share a view': { least: 'operator' },
  'remove others’ views': { least: 'admin' },
  'see the audit': { least: 'operator' },
  'export the audit': { least: 'admin', asksAgain: true },
  'export leads': { least: 'admin', asksAgain: true },
  'erase leads': { least: 'admin', asksAgain: true },
  'see operators': { least: 'admin' },
  'change operators': { least: 'admin', asksAgain: true },
} as const satisfies Readonly<Record<string, Right>>

export type Action = keyof typeof rights

export const actions = Object.keys(rights) as readonly Action[]

/** How long a passkey or password that was given speaks for what asks again, in milliseconds. */
export const strongFor = 10 * 60 * 1000

export type Verdict = 'allowed' | 'not allowed' | 'ask again'

/** @param strongAt when a passkey or password was last given, and `now`: epoch milliseconds */
export function judge(
  { role, strongAt }: { readonly role: Role; readonly strongAt: number },
  action: Action,
  now: number,
): Verdict {
  const right: Right = rights[action]
  if (!isAtLeast(role, right.least)) return 'not allowed'
  return right.asksAgain && !isStrong(strongAt, now) ? 'ask again' : 'allowed'
}

/**
 * By so much, in milliseconds, the clocks of two consoles may differ. What is later than that is of a clock that was put back
 * since: it would hold its operator up, or let them through, until that time comes again.
 */
export const skew = 60_000

/** Whether a passkey or password was given lately. */
export const isStrong = (strongAt: number, now: number): boolean =>
  strongAt - now <= skew && now - strongAt <= strongFor

/** Whether it is worth showing. */
export const isAllowed = (role: Role, action: Action): boolean =>
  isAtLeast(role, rights[action].least)
