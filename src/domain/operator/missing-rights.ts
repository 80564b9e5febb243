import { type Action, isAllowed, rights } from './rights.ts'
import { type Role, roles } from './role.ts'

/** What who has a right does, after "An operator". */
const does = {
  'reveal a lead': 'reveals whose it is',
  'retry deliveries': 'retries',
  'settle deliveries': 'settles',
  'release leads': 'releases',
  'pause deliveries': 'pauses',
  'run jobs': 'acts on many at once',
  'erase leads': 'erases',
  'export leads': 'exports',
} as const satisfies Partial<Readonly<Record<Action, string>>>

export type ToldAction = keyof typeof does

/**
 * Who else does what this role may not, in one sentence for a page that it may see: “An operator releases or reveals whose it
 * is; an admin erases.” Undefined where it may do all of it.
 */
export function missingRights(role: Role, wanted: readonly ToldAction[]): string | undefined {
  const missing = wanted.filter((action) => !isAllowed(role, action))
  if (missing.length === 0) return undefined
  const clauses = roles.flatMap((least) => {
    const acts = missing.filter((action) => rights[action].least === least)
    return acts.length === 0
      ? []
      : [`${least === 'viewer' ? 'a' : 'an'} ${least} ${orList(acts.map((act) => does[act]))}`]
  })
  const said = clauses.join('; ')
  return `${said.slice(0, 1).toUpperCase()}${said.slice(1)}. Your role is ${role}.`
}

const orList = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
