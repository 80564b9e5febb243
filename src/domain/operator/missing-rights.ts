import { type Action, isAllowed, rights } from './rights.ts'
import { type Role, roles } from './role.ts'

/** The verbs after "Operators can". */
const verbs = {
  'reveal a lead': 'reveal personal data',
  'retry deliveries': 'retry',
  'settle deliveries': 'settle',
  'release leads': 'release',
  'pause deliveries': 'pause',
  'run jobs': 'act on many leads at once',
  'erase leads': 'erase',
  'export leads': 'export',
} as const satisfies Partial<Readonly<Record<Action, string>>>

export type ExplainedAction = keyof typeof verbs

/**
 * Explains which roles may do the actions that the operator's role may not: “Operators can release or reveal personal
 * data; admins can erase. Your role is viewer.” Undefined if the role may do all of them.
 */
export function missingRights(role: Role, wanted: readonly ExplainedAction[]): string | undefined {
  const missing = wanted.filter((action) => !isAllowed(role, action))
  if (missing.length === 0) return undefined
  const clauses = roles.flatMap((least) => {
    const actions = missing.filter((action) => rights[action].least === least)
    return actions.length === 0
      ? []
      : [`${least}s can ${orList(actions.map((action) => verbs[action]))}`]
  })
  const text = clauses.join('; ')
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}. Your role is ${role}.`
}

const orList = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
