import { type Role, roles } from './role.ts'

/** Which words of a provider mean which role. */
export interface RoleRule {
  /** The claim's name; a part of a claim after a dot, as in `realm_access.roles`. */
  readonly claim: string
  readonly meaning: Readonly<Record<Role, readonly string[]>>
}

type Claims = Readonly<Record<string, unknown>>

/** Of several roles that somebody is given the one that may most; undefined where they are given none. */
export function roleByClaim(claims: Claims, { claim, meaning }: RoleRule): Role | undefined {
  const said = wordsOf(claimOf(claims, claim))
  return roles.findLast((role) => meaning[role].some((word) => said.includes(word)))
}

/** A name may have dots in itself, as those that are addresses have. */
export function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  return name.split('.').reduce<unknown>((found, part) => {
    return isObject(found) && Object.hasOwn(found, part) ? found[part] : undefined
  }, claims)
}

const wordsOf = (said: unknown): readonly unknown[] => (Array.isArray(said) ? said : [said])

const isObject = (value: unknown): value is Claims => typeof value === 'object' && value !== null
