import { Argument, Command, Option } from 'commander'
import * as v from 'valibot'
import { type Role, roles } from '#domain/operator/role.ts'
import { makeManageOperators } from '#server/operators/manage-operators.ts'
import type { Operator } from '#server/operators/operator.ts'
import type { ListedOperator } from '#server/operators/operator-accounts.ts'
import { emailAddress } from '#server/platform/email-address.ts'
import type { Store } from '#server/start/open-store.ts'
import { exitCodes } from '../exit-codes.ts'
import { NotDoneError } from '../not-done-error.ts'
import { changeStore, withStore } from '../store/with-store.ts'
import { examples } from '../terminal/examples.ts'
import { print, printJson } from '../terminal/print.ts'
import { table } from '../terminal/table.ts'
import { commandLineActor } from './command-line-actor.ts'
import { consoleLink } from './console-link.ts'

interface Json {
  readonly json?: boolean
}

const emailArgument = () => new Argument('<email>', 'the operator’s address')

export const operatorsCommand = (): Command =>
  new Command('operators')
    .description('who may work on the console, and as what: a viewer, an operator or an admin')
    .addCommand(
      verb('add', 'makes an operator, and prints the invitation that sets passkey or password')
        .addArgument(emailArgument())
        .addOption(
          new Option('--role <role>', 'what they may').choices(roles).makeOptionMandatory(),
        )
        .action(add),
    )
    .addCommand(verb('list', 'everybody, with how they sign in').action(list))
    .addCommand(
      verb('role', 'gives an operator another role')
        .addArgument(emailArgument())
        .addArgument(new Argument('<role>', 'what they may from now on').choices(roles))
        .action(setRole),
    )
    .addCommand(
      verb('disable', 'signs an operator out everywhere; they cannot sign in any more')
        .addArgument(emailArgument())
        .action(disable),
    )
    .addCommand(
      verb('enable', 'lets a disabled operator sign in again')
        .addArgument(emailArgument())
        .action(enable),
    )
    .addCommand(
      verb('unlink', 'forgets who an operator is at the provider of single sign-on')
        .addArgument(emailArgument())
        .action(unlink),
    )
    .addHelpText('after', '\nEach with --json; “operators add --help” and the like say more.')
    .addHelpText('after', examples('operators add ada@example.edu --role admin', 'operators list'))

const verb = (name: string, description: string): Command =>
  new Command(name).description(description).option('--json', 'as JSON')

const managed = ({ operators, audit }: Store) =>
  makeManageOperators({ ...operators, audit, clock: Date.now })

async function add(email: string, { role, json }: Json & { role: Role }): Promise<void> {
  if (!v.is(v.pipe(v.string(), v.trim(), v.email()), email)) {
    throw new NotDoneError(`${email} is no email address. Nothing was done.`, exitCodes.usage)
  }
  const outcome = await changeStore(
    (store) => managed(store).add(commandLineActor(), email, role),
    { json },
  )
  if (outcome.kind === 'known') {
    throw new NotDoneError(
      'There is an operator with this address already. Nothing was changed: “operators role” gives another role, “sign-in-link” a way in.',
    )
  }
  const invitation = consoleLink(`/sign-in/invitation?code=${outcome.code}`)
  const { id } = outcome.operator
  if (json) return printJson({ id, email: outcome.operator.email, role, invitation })
  print(
    `${outcome.operator.email} is ${role === 'viewer' ? 'a' : 'an'} ${role}. Send this invitation; it is good once, for 24 hours:\n\n  ${invitation}`,
  )
}

async function list({ json }: Json): Promise<void> {
  const operators = await withStore((store) => managed(store).list(commandLineActor()), { json })
  if (json) return printJson(operators)
  if (operators.length === 0) {
    return print('There is no operator yet. “operators add <email> --role admin” makes one.')
  }
  print(table(['Email', 'Role', 'Signs in by', 'Standing', 'Last seen'], operators.map(rowOf)))
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
    disabledAt === null ? 'active' : `disabled ${new Date(disabledAt).toISOString()}`,
    seenAt === null ? '' : new Date(seenAt).toISOString(),
  ]
}

const setRole = (email: string, role: Role, { json }: Json) =>
  changeOne(email, { role }, json, (store, { id }) =>
    managed(store).setRole(commandLineActor(), id, role),
  )

const disable = (email: string, { json }: Json) =>
  changeOne(email, { disabled: true }, json, (store, { id }) =>
    managed(store).disable(commandLineActor(), id),
  )

const enable = (email: string, { json }: Json) =>
  changeOne(email, { disabled: false }, json, (store, { id }) =>
    managed(store).enable(commandLineActor(), id),
  )

/** Their address belongs to somebody else there now: who signs in with it next is linked anew. */
const unlink = (email: string, { json }: Json) =>
  changeOne(email, { linked: false }, json, (store, { id }) =>
    managed(store).unlink(commandLineActor(), id),
  )

async function changeOne(
  email: string,
  changed: Readonly<Record<string, unknown>>,
  json: boolean | undefined,
  act: (store: Store, operator: Operator) => Promise<unknown>,
): Promise<void> {
  await changeStore(async (store) => act(store, await operatorOf(store, email)), { json })
  if (json) return printJson({ email: emailAddress(email), ...changed })
  const [[name, value] = []] = Object.entries(changed)
  print(`${emailAddress(email)}: ${name} is ${value} now, from the next page they open.`)
}

export async function operatorOf({ operators }: Store, email: string): Promise<Operator> {
  const operator = await operators.accounts.findByEmail(emailAddress(email))
  if (operator !== undefined) return operator
  throw new NotDoneError('There is no operator with this address. “operators list” has them all.')
}
