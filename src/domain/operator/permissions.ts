import { hour, minute } from '../durations.ts'

/** The roles in ascending order. Each role includes the permissions of the roles before it. */
export const roles = ['viewer', 'operator', 'admin'] as const

export type Role = (typeof roles)[number]

export const isRole = (text: string): text is Role => roles.some((role) => role === text)

export const isRoleAtLeast = (role: Role, minRole: Role): boolean =>
  roles.indexOf(role) >= roles.indexOf(minRole)

interface PermissionRule {
  readonly minRole: Role
  /** True if the operator must have signed in or confirmed their identity within the last {@link stepUpLifetime}. */
  readonly needsStepUp?: true
}

const permissionRules = {
  'see the overview': { minRole: 'viewer' },
  'see leads': { minRole: 'viewer' },
  'see deliveries': { minRole: 'viewer' },
  'see the funnel': { minRole: 'viewer' },
  'see returns': { minRole: 'viewer' },
  'see affiliates': { minRole: 'viewer' },
  'see statements': { minRole: 'viewer' },
  'see ad spend': { minRole: 'viewer' },
  'see jobs': { minRole: 'viewer' },
  'save a view': { minRole: 'viewer' },
  'change your sign-in': { minRole: 'viewer', needsStepUp: true },
  'reveal a lead': { minRole: 'operator' },
  'search for a person': { minRole: 'operator' },
  'retry deliveries': { minRole: 'operator' },
  'settle deliveries': { minRole: 'operator' },
  'release leads': { minRole: 'operator' },
  'pause deliveries': { minRole: 'operator' },
  'import returns': { minRole: 'operator' },
  'change ad spend': { minRole: 'operator' },
  'test alerts': { minRole: 'operator' },
  'run jobs': { minRole: 'operator' },
  'share a view': { minRole: 'operator' },
  'remove others’ views': { minRole: 'admin' },
  'see the audit log': { minRole: 'operator' },
  'export the audit log': { minRole: 'admin', needsStepUp: true },
  'export leads': { minRole: 'admin', needsStepUp: true },
  'erase leads': { minRole: 'admin', needsStepUp: true },
  'see caps': { minRole: 'operator' },
  'change caps': { minRole: 'admin' },
  'see webhooks': { minRole: 'viewer' },
  'change webhooks': { minRole: 'admin', needsStepUp: true },
  'change affiliates': { minRole: 'admin', needsStepUp: true },
  'close statements': { minRole: 'admin', needsStepUp: true },
  'change the revenue': { minRole: 'admin', needsStepUp: true },
  'see do not contact': { minRole: 'operator' },
  'stop contact': { minRole: 'operator' },
  'allow contact again': { minRole: 'admin', needsStepUp: true },
  'see operators': { minRole: 'admin' },
  'manage operators': { minRole: 'admin', needsStepUp: true },
} as const satisfies Readonly<Record<string, PermissionRule>>

export type Permission = keyof typeof permissionRules

export const permissions = Object.keys(permissionRules) as readonly Permission[]

/** How long a sign-in or a confirmation counts as recent, in milliseconds. */
export const stepUpLifetime = 10 * 60 * 1000

/** @param lastAuthenticatedAt when the operator last used a passkey or password, in epoch milliseconds like `now` */
export function checkPermission(
  { role, lastAuthenticatedAt }: { readonly role: Role; readonly lastAuthenticatedAt: number },
  action: Permission,
  now: number,
): 'allowed' | 'not allowed' | 'step up' {
  const rule: PermissionRule = permissionRules[action]
  if (!isRoleAtLeast(role, rule.minRole)) return 'not allowed'
  return rule.needsStepUp && !isRecentSignIn(lastAuthenticatedAt, now) ? 'step up' : 'allowed'
}

/**
 * The maximum difference between the clocks of two consoles, in milliseconds. A sign-in that lies further in the future
 * does not count as recent, because somebody has set a clock back.
 */
export const maxClockSkew = minute

export const isRecentSignIn = (lastAuthenticatedAt: number, now: number): boolean =>
  lastAuthenticatedAt - now <= maxClockSkew && now - lastAuthenticatedAt <= stepUpLifetime

/**
 * How many reveals and searches an operator may make within a period (in milliseconds) before confirming their
 * identity: more than an operator needs, and fewer than a script makes.
 */
export const revealLimit = { most: 60, within: hour } as const

/** Returns whether a role may do an action, perhaps after a confirmation. Pages show only allowed actions. */
export const isAllowed = (role: Role, action: Permission): boolean =>
  isRoleAtLeast(role, permissionRules[action].minRole)

/** Maps the values of a claim of OpenID Connect to roles. */
export interface RoleRule {
  /** The name of a claim; dots separate the names of nested claims, as in `realm_access.roles`. */
  readonly claim: string
  readonly meaning: Readonly<Record<Role, readonly string[]>>
}

type Claims = Readonly<Record<string, unknown>>

/** Returns the highest role that an operator has by their claims; undefined without a role. */
export function findRoleByClaim(claims: Claims, { claim, meaning }: RoleRule): Role | undefined {
  const values = toList(findClaim(claims, claim))
  return [...roles].reverse().find((role) => meaning[role].some((word) => values.includes(word)))
}

/** Finds a claim by its name. A claim's own name may contain dots, for example if the name is a URL. */
export function findClaim(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  return name.split('.').reduce<unknown>((found, key) => {
    return isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined
  }, claims)
}

const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

const isObject = (value: unknown): value is Claims => typeof value === 'object' && value !== null
