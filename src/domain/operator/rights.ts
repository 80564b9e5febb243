/** Roles in ascending order: each role includes the rights of the roles before it. */
export const roles = ['viewer', 'operator', 'admin'] as const

export type Role = (typeof roles)[number]

export const isRole = (text: string): text is Role => roles.some((role) => role === text)

export const isRoleAtLeast = (role: Role, least: Role): boolean =>
  roles.indexOf(role) >= roles.indexOf(least)

interface Right {
  readonly least: Role
  /** The action needs a sign-in or confirmation within the last {@link stepUpLifetime}. */
  readonly needsStepUp?: true
}

/** The lowest role that may do each action. */
export const minRoles = {
  'see the overview': { least: 'viewer' },
  'see leads': { least: 'viewer' },
  'see deliveries': { least: 'viewer' },
  'see the funnel': { least: 'viewer' },
  'see returns': { least: 'viewer' },
  'see affiliates': { least: 'viewer' },
  'see jobs': { least: 'viewer' },
  'save a view': { least: 'viewer' },
  'change own sign-in': { least: 'viewer', needsStepUp: true },
  'reveal a lead': { least: 'operator' },
  'search for a person': { least: 'operator' },
  'retry deliveries': { least: 'operator' },
  'settle deliveries': { least: 'operator' },
  'release leads': { least: 'operator' },
  'pause deliveries': { least: 'operator' },
  'import returns': { least: 'operator' },
  'run jobs': { least: 'operator' },
  'share a view': { least: 'operator' },
  'remove others’ views': { least: 'admin' },
  'see the audit': { least: 'operator' },
  'export the audit': { least: 'admin', needsStepUp: true },
  'export leads': { least: 'admin', needsStepUp: true },
  'erase leads': { least: 'admin', needsStepUp: true },
  'see caps': { least: 'operator' },
  'change caps': { least: 'admin' },
  'see webhooks': { least: 'viewer' },
  'change webhooks': { least: 'admin', needsStepUp: true },
  'change affiliates': { least: 'admin', needsStepUp: true },
  'see operators': { least: 'admin' },
  'change operators': { least: 'admin', needsStepUp: true },
} as const satisfies Readonly<Record<string, Right>>

export type Action = keyof typeof minRoles

export const actions = Object.keys(minRoles) as readonly Action[]

/** The time for which a sign-in or a confirmation counts as recent, in milliseconds. */
export const stepUpLifetime = 10 * 60 * 1000

/**
 * @param lastAuthenticatedAt the time of the operator's last passkey or password check, like `now` in epoch milliseconds
 */
export function checkPermission(
  { role, lastAuthenticatedAt }: { readonly role: Role; readonly lastAuthenticatedAt: number },
  action: Action,
  now: number,
): 'allowed' | 'not allowed' | 'step up' {
  const right: Right = minRoles[action]
  if (!isRoleAtLeast(role, right.least)) return 'not allowed'
  return right.needsStepUp && !isRecentSignIn(lastAuthenticatedAt, now) ? 'step up' : 'allowed'
}

/**
 * The maximum difference between the clocks of two consoles, in milliseconds. A sign-in further in the future doesn't
 * count as recent, because a clock must have been set back since then.
 */
export const maxClockSkew = 60_000

export const isRecentSignIn = (lastAuthenticatedAt: number, now: number): boolean =>
  lastAuthenticatedAt - now <= maxClockSkew && now - lastAuthenticatedAt <= stepUpLifetime

/**
 * How many people an operator may reveal or search for within a period, in milliseconds, before confirming their
 * identity: more than a person reads, and fewer than a script would read.
 */
export const revealLimit = { most: 60, within: 60 * 60 * 1000 } as const

/** Whether a role may do an action, perhaps after a confirmation. Pages show only allowed actions. */
export const isAllowed = (role: Role, action: Action): boolean =>
  isRoleAtLeast(role, minRoles[action].least)
