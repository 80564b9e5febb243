import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import * as v from 'valibot'
import { describeAuditedOutcome } from '#domain/job/job-lead-outcome.ts'
import { auditActions, describeAuditAction, toAuditAction } from '#domain/operator/audit-action.ts'
import { describeCredentials } from '#domain/operator/credentials.ts'
import { type Role, roles } from '#domain/operator/permissions.ts'
import { findAccountByEmail } from '#server/operators/accounts.ts'
import type { AuditFilter } from '#server/operators/audit.ts'
import type { OperatorContext } from '#server/operators/authorize.ts'
import {
  addOperator,
  changeRole,
  disableOperator,
  enableOperator,
  listOperators,
  makeOperatorLink,
  unlinkOperator,
} from '#server/operators/manage-operators.ts'
import type { CommandLineActor, Operator } from '#server/operators/operator.ts'
import { describeChangedValues, readAudit } from '#server/operators/read-audit.ts'
import { toEmailAddress } from '#server/platform/email-address.ts'
import type { Store } from '#server/store/open-store.ts'
import { CommandError, exitCodes } from './errors.ts'
import { findCliActor, readServerSettings, withStore, withStoreForChanges } from './store.ts'
import {
  type JsonOption,
  makeCommand,
  makeCommandGroup,
  makeIntegerParser,
  parseEndTime,
  parseStartTime,
  print,
  printJson,
  printRows,
  toIsoTime,
} from './terminal.ts'

const makeOperatorCommand = (name: string, description: string, more = ''): Command =>
  makeCommand(name, description, {
    examples: [`${name === 'sign-in-link' ? '' : 'operators '}${name} ada@example.edu${more}`],
  }).argument('<email>', 'the operator’s email address')

const changes = [
  {
    name: 'disable',
    description: 'signs an operator out everywhere and forbids them to sign in',
    changed: { disabled: true },
    describe: (email: string) => `Disabled ${email}, from the operator’s next request on.`,
    unchanged: 'was disabled already',
    change: disableOperator,
  },
  {
    name: 'enable',
    description: 'lets a disabled operator sign in again',
    changed: { disabled: false },
    describe: (email: string) => `Enabled ${email}: the operator can sign in again.`,
    unchanged: 'was not disabled',
    change: enableOperator,
  },
  {
    // After `unlink`, the operator's next sign-in links the provider's account that has the same email address.
    name: 'unlink',
    description: 'unlinks an operator from an account at the single sign-on provider',
    changed: { linked: false },
    describe: (email: string) => `Unlinked ${email}, and signed the operator out everywhere.`,
    unchanged: 'was not linked to an account at the single sign-on provider',
    change: unlinkOperator,
  },
]

export function makeOperatorsCommand(): Command {
  const about = 'the people who may use the console, each as a viewer, an operator or an admin'
  return makeCommandGroup('operators', about, 'list', [
    makeOperatorCommand(
      'add',
      'adds an operator and prints an invitation to set a passkey or a password',
      ' --role admin',
    )
      .addOption(new Option('--role <role>', 'their role').choices(roles).makeOptionMandatory())
      .action(runAdd),
    makeCommand('list', 'lists all operators, and how they sign in', {
      examples: ['operators list'],
    }).action(runList),
    makeOperatorCommand('role', 'gives an operator another role', ' viewer')
      .addArgument(new Argument('<role>', 'their new role').choices(roles))
      .action((email, role: Role, options: JsonOption) =>
        changeOperator(email, options, {
          changed: { role },
          describe: (of) => `Gave ${of} the role ${role}, from the operator’s next request on.`,
          unchanged: `has the role ${role} already`,
          change: (...on) => changeRole(...on, role),
        }),
      ),
    ...changes.map(({ name, description, ...change }) =>
      makeOperatorCommand(name, description).action((email, options: JsonOption) =>
        changeOperator(email, options, change),
      ),
    ),
  ])
}

const makeOperatorContext = ({ operators, audit, clock }: Store): OperatorContext => ({
  ...operators,
  audit,
  clock,
})

function makeConsoleUrl(path: string): string {
  const { origin, port } = readServerSettings().console
  return `${origin ?? `http://127.0.0.1:${port}`}${path}`
}

async function runAdd(email: string, options: JsonOption & { role: Role }): Promise<void> {
  if (!v.is(v.pipe(v.string(), v.trim(), v.email()), email)) {
    throw new CommandError(`${email} is not an email address. Nothing was done.`, exitCodes.usage)
  }
  const { role } = options
  const link = await withStoreForChanges(
    (store) => addOperator(makeOperatorContext(store), findCliActor(), email, role),
    options,
  )
  if (link === undefined) {
    throw new CommandError(
      'An operator with this email address already exists. Nothing was changed. Use “operators role” to change their role, or “sign-in-link” to let them sign in.',
    )
  }
  const { operator, code } = link
  const invitation = makeConsoleUrl(`/sign-in/invitation?code=${code}`)
  if (options.json) return printJson({ id: operator.id, email: operator.email, role, invitation })
  print(
    `Added ${operator.email} as ${role}. Send them this invitation. The link works once, for 24 hours:\n\n  ${invitation}`,
  )
}

async function runList(options: JsonOption): Promise<void> {
  const operators = await withStore(
    (store) => listOperators(makeOperatorContext(store), findCliActor()),
    options,
  )
  printRows(
    operators,
    options,
    ({ email, role, disabledAt, seenAt, ...operator }) => {
      const status = seenAt === null ? 'invited' : 'active'
      return {
        Email: email,
        Role: role,
        'Signs in by': describeCredentials(operator) ?? 'nothing yet',
        Status: disabledAt === null ? status : `disabled ${toIsoTime(disabledAt)}`,
        'Last seen': seenAt === null ? '' : toIsoTime(seenAt),
      }
    },
    'There are no operators yet. Add one with “operators add <email> --role admin”.',
  )
}

interface OperatorChange {
  readonly changed: Readonly<Record<string, unknown>>
  readonly describe: (email: string) => string
  /** Says why there was nothing to change. */
  readonly unchanged: string
  readonly change: (...on: [OperatorContext, CommandLineActor, id: string]) => Promise<string>
}

async function changeOperator(
  email: string,
  options: JsonOption,
  { changed, describe, unchanged, change }: OperatorChange,
): Promise<void> {
  const address = toEmailAddress(email)
  const outcome = await withStoreForChanges(async (store) => {
    const { id } = await findOperator(store, email)
    return change(makeOperatorContext(store), findCliActor(), id)
  }, options)
  if (options.json) return printJson({ email: address, ...changed })
  print(
    outcome === 'unchanged' ? `${address} ${unchanged}. Nothing was changed.` : describe(address),
  )
}

async function findOperator({ operators }: Store, email: string): Promise<Operator> {
  const operator = await findAccountByEmail(operators.db, toEmailAddress(email))
  if (operator !== undefined) return operator
  throw new CommandError(
    'There is no operator with this email address. “operators list” shows all operators.',
  )
}

export const makeSignInLinkCommand = (): Command =>
  makeOperatorCommand(
    'sign-in-link',
    'prints a link that signs an operator in once, within 15 minutes',
  ).action(runSignInLink)

async function runSignInLink(email: string, options: JsonOption): Promise<void> {
  const made = await withStoreForChanges(async (store) => {
    const { id } = await findOperator(store, email)
    return makeOperatorLink(makeOperatorContext(store), findCliActor(), id, 'sign-in')
  }, options)
  if (made === undefined) {
    throw new CommandError(
      'This operator is disabled. Nothing was done. First run “operators enable”.',
    )
  }
  const link = makeConsoleUrl(`/sign-in?code=${made.code}`)
  if (options.json) return printJson({ email: made.operator.email, link })
  print(`This link signs ${made.operator.email} in once, within 15 minutes:\n\n  ${link}`)
}

interface AuditOptions extends JsonOption {
  readonly action?: AuditFilter['action']
  readonly who?: string
  readonly subject?: string
  readonly from?: number
  readonly to?: number
  readonly take: number
}

const auditLabels = auditActions.map(describeAuditAction)

function parseAuditAction(text: string) {
  const action = toAuditAction(text)
  if (action !== undefined) return action
  throw new InvalidArgumentError(`Allowed choices are ${auditLabels.join(', ')}.`)
}

export const makeAuditCommand = (): Command =>
  makeCommand('audit', 'shows the audit log, newest first', {
    examples: ['audit', 'audit --who ada@example.edu --from 7d'],
  })
    .addOption(
      new Option('--action <action>', 'only entries of this action')
        .choices(auditLabels)
        .argParser(parseAuditAction),
    )
    .option(
      '--who <who>',
      'only actions of this operator (email address) or of this user of the command line',
    )
    .option('--subject <id>', 'only actions on this lead, operator or job')
    .option('--from <when>', 'only since a day, a time (UTC) or an age such as 24h', parseStartTime)
    .option(
      '--to <when>',
      'only entries before a time (UTC), older than an age such as 24h, or up to the end of a day',
      parseEndTime,
    )
    .option('--take <n>', 'list at most this many entries', makeIntegerParser(10_000), 50)
    .action(runAudit)

async function runAudit(options: AuditOptions): Promise<void> {
  const entries = await withStore(async (store) => {
    const query = { ...(await toAuditFilter(store, options)), take: options.take }
    return readAudit(store, findCliActor(), query)
  }, options)
  printRows(
    entries,
    options,
    (entry) => ({
      Time: toIsoTime(entry.at),
      Actor: entry.who,
      Action: describeAuditAction(entry.action),
      Target: entry.target ?? entry.subject ?? '',
      Reason: entry.reason ?? '',
      Changes: describeChangedValues(entry.changes),
      Result: describeAuditedOutcome(entry.outcome ?? ''),
      Network: entry.network ?? entry.via,
    }),
    'No entries match.',
  )
}

async function toAuditFilter(store: Store, options: AuditOptions): Promise<AuditFilter> {
  const { action, who, subject, from: since, to: until } = options
  const operator =
    who === undefined
      ? undefined
      : await findAccountByEmail(store.operators.db, toEmailAddress(who))
  if (who?.includes('@') && operator === undefined) {
    throw new CommandError(`There is no operator ${who}. “operators list” shows all operators.`)
  }
  const user = operator === undefined ? who : undefined
  return { action, operatorId: operator?.id, user, subject, since, until }
}
