import { type Role, roles } from './permissions.ts'

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
