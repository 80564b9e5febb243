import { Argument, Command, Option } from 'commander'
import * as v from 'valibot'
import { type Role, roles } from '#domain/operator/role.ts'
import { findAccountByEmail, type ListedOperator } from '#server/operators/accounts.ts'
import {
  addOperator,
  changeRole,
  disableOperator,
  enableOperator,
  listOperators,
  makeOperatorLink,
  unlinkOperator,
} from '#server/operators/manage-operators.ts'
import type { CommandLineActor, Operator, OperatorContext } from '#server/operators/operator.ts'
import { emailAddress } from '#server/platform/email-address.ts'
import type { Store } from '#server/store/open-store.ts'
import { exitCodes, NotDoneError } from './errors.ts'
import { changeStore, commandLineActor, serverSettings, withStore } from './store.ts'
import { isoTime, type Json, makeCommand, print, printJson, table } from './terminal.ts'

const onOperator = (name: string, description: string, more = ''): Command =>
  makeCommand(name, description, {
    examples: [`${name === 'sign-in-link' ? '' : 'operators '}${name} ada@example.edu${more}`],
  }).argument('<email>', 'the operator’s address')

const changes = [
  {
    name: 'disable',
    description: 'signs an operator out everywhere; they cannot sign in any more',
    changed: { disabled: true },
    change: disableOperator,
  },
  {
    name: 'enable',
    description: 'lets a disabled operator sign in again',
    changed: { disabled: false },
    change: enableOperator,
  },
  {
    // If the provider gives the operator's address to another person, the next person who signs in with it is linked.
    name: 'unlink',
    description: 'forgets who an operator is at the provider of single sign-on',
    changed: { linked: false },
    change: unlinkOperator,
  },
]

export function operatorsCommand(): Command {
  const operators = new Command('operators')
    .description('the people who may use the console, each as a viewer, an operator or an admin')
    .addCommand(
      onOperator(
        'add',
        'adds an operator and prints an invitation to set a passkey or a password',
        ' --role admin',
      )
        .addOption(new Option('--role <role>', 'their role').choices(roles).makeOptionMandatory())
        .action(add),
    )
    .addCommand(
      makeCommand('list', 'lists all operators, and how they sign in', {
        examples: ['operators list'],
      }).action(list),
    )
    .addCommand(
      onOperator('role', 'gives an operator another role', ' viewer')
        .addArgument(new Argument('<role>', 'their new role').choices(roles))
        .action((email, role: Role, options: Json) =>
          changeOne(email, { role }, options, (...on) => changeRole(...on, role)),
        ),
    )
    .addHelpText(
      'after',
      '\nEach with --json; “operators add --help” and the like say more.\n\nExample:\n  npm run leads -- operators list',
    )
  for (const { name, description, changed, change } of changes) {
    operators.addCommand(
      onOperator(name, description).action((email, options: Json) =>
        changeOne(email, changed, options, change),
      ),
    )
  }
  return operators
}

const contextOf = ({ operators, audit }: Store): OperatorContext => ({
  ...operators,
  audit,
  clock: Date.now,
})

/** Builds a link to the configured console. */
function consoleLink(path: string): string {
  const { origin, port } = serverSettings().console
  return `${origin ?? `http://127.0.0.1:${port}`}${path}`
}

async function add(email: string, options: Json & { role: Role }): Promise<void> {
  if (!v.is(v.pipe(v.string(), v.trim(), v.email()), email)) {
    throw new NotDoneError(`${email} is not an email address. Nothing was done.`, exitCodes.usage)
  }
  const { role } = options
  const link = await changeStore(
    (store) => addOperator(contextOf(store), commandLineActor(), email, role),
    options,
  )
  if (link === undefined) {
    throw new NotDoneError(
      'An operator with this address already exists. Nothing was changed. Use “operators role” to change their role, or “sign-in-link” to let them sign in.',
    )
  }
  const { operator, code } = link
  const invitation = consoleLink(`/sign-in/invitation?code=${code}`)
  if (options.json) return printJson({ id: operator.id, email: operator.email, role, invitation })
  print(
    `Added ${operator.email} as ${role}. Send them this invitation. It works once, for 24 hours:\n\n  ${invitation}`,
  )
}

async function list(options: Json): Promise<void> {
  const operators = await withStore(
    (store) => listOperators(contextOf(store), commandLineActor()),
    options,
  )
  if (options.json) return printJson(operators)
  if (operators.length === 0) {
    return print('There are no operators yet. Add one with “operators add <email> --role admin”.')
  }
  print(table(['Email', 'Role', 'Signs in by', 'Status', 'Last seen'], operators.map(rowOf)))
}

function rowOf(operator: ListedOperator): string[] {
  const { email, role, disabledAt, hasPassword, passkeys, hasSingleSignOn, seenAt } = operator
  const ways = [
    ...(hasPassword ? ['password'] : []),
    ...(passkeys > 0 ? ['passkey'] : []),
    ...(hasSingleSignOn ? ['single sign-on'] : []),
  ]
  return [
    email,
    role,
    ways.join(', ') || 'nothing yet',
    disabledAt === null ? 'active' : `disabled ${isoTime(disabledAt)}`,
    seenAt === null ? '' : isoTime(seenAt),
  ]
}

async function changeOne(
  email: string,
  changed: Readonly<Record<string, unknown>>,
  options: Json,
  change: (context: OperatorContext, actor: CommandLineActor, id: string) => Promise<unknown>,
): Promise<void> {
  await changeStore(async (store) => {
    const { id } = await operatorOf(store, email)
    return change(contextOf(store), commandLineActor(), id)
  }, options)
  if (options.json) return printJson({ email: emailAddress(email), ...changed })
  const [[name, value] = []] = Object.entries(changed)
  print(`${emailAddress(email)}: ${name} is now ${value}, from their next page on.`)
}

async function operatorOf({ operators }: Store, email: string): Promise<Operator> {
  const operator = await findAccountByEmail(operators.db, emailAddress(email))
  if (operator !== undefined) return operator
  throw new NotDoneError(
    'There is no operator with this address. Run “operators list” to see them all.',
  )
}

export const signInLinkCommand = (): Command =>
  onOperator(
    'sign-in-link',
    'prints a link that signs an operator in once, within 15 minutes',
  ).action(signInLink)

async function signInLink(email: string, options: Json): Promise<void> {
  const made = await changeStore(async (store) => {
    const { id } = await operatorOf(store, email)
    return makeOperatorLink(contextOf(store), commandLineActor(), id, 'sign-in')
  }, options)
  if (made === undefined) {
    throw new NotDoneError(
      'This operator is disabled. Nothing was done. Run “operators enable” first.',
    )
  }
  const link = consoleLink(`/sign-in?code=${made.code}`)
  if (options.json) return printJson({ email: made.operator.email, link })
  print(`This link signs ${made.operator.email} in once, within 15 minutes:\n\n  ${link}`)
}
