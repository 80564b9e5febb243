import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import * as v from 'valibot'
import { formatIsoTime, parseRangeEnd, parseRangeStart } from '#domain/calendar.ts'
import { describeAuditedOutcome } from '#domain/job/job-lead-outcome.ts'
import { auditActions, describeAuditAction, toAuditAction } from '#domain/operator/audit-action.ts'
import { describeCredentials } from '#domain/operator/credentials.ts'
import { type Role, roles } from '#domain/operator/permissions.ts'
import { findAccountByEmail } from '#server/operators/accounts.ts'
import type { AuditFilter } from '#server/operators/audit.ts'
import {
  addOperator,
  changeRole,
  disableOperator,
  listOperators,
  makeOperatorLink,
  unlinkOperator,
} from '#server/operators/manage-operators.ts'
import type { CommandLineActor, Operator } from '#server/operators/operator.ts'
import type { OperatorContext } from '#server/operators/operator-context.ts'
import { describeChangedValues, readAudit } from '#server/operators/read-audit.ts'
import { readConsoleOrigin } from '#server/platform/database/sqlite/data-folder.ts'
import { toEmailAddress } from '#server/platform/email-address.ts'
import { makeCommand, makeCommandGroup, reportRows } from './command.ts'
import { CommandError, exitCodes } from './errors.ts'
import type { CommandContext } from './store.ts'
import { makeIntegerParser, parseWhen } from './terminal.ts'

const makeOperatorCommand = (name: string, description: string, more = '') =>
  makeCommand(name, description, [
    `${name === 'sign-in-link' ? '' : 'operators '}${name} ada@example.edu${more}`,
  ]).argument('<email>', 'the operator’s email address')

export const makeOperatorAndAuditCommands = (): readonly Command[] => [
  makeOperatorsCommand(),
  makeOperatorCommand(
    'sign-in-link',
    'prints a link that signs an operator in once, within 15 minutes',
  ).changesStore(runSignInLink),
  makeCommand('audit', 'shows the audit log, newest first', [
    'audit',
    'audit --who ada@example.edu --from 7d',
  ])
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
    .option('--from <when>', 'only since a day, a time or an age such as 24h', parseWhen)
    .option(
      '--to <when>',
      'only entries before a time, older than an age such as 24h, or up to the end of a day',
      parseWhen,
    )
    .option('--take <n>', 'list at most this many entries', makeIntegerParser(10_000), 50)
    .readsStore(runAudit),
]

function makeOperatorsCommand(): Command {
  const about = 'the people who may use the console, each as a viewer, an operator or an admin'
  const adds = 'adds an operator and prints an invitation to set a passkey or a password'
  const disables = 'signs an operator out everywhere and forbids them to sign in'
  const unlinks = 'unlinks an operator from an account at the single sign-on provider'
  return makeCommandGroup('operators', about, 'list', [
    makeOperatorCommand('add', adds, ' --role admin')
      .addOption(new Option('--role <role>', 'their role').choices(roles).makeOptionMandatory())
      .changesStore(runAdd),
    makeCommand('list', 'lists all operators, and how they sign in', ['operators list']).readsStore(
      runList,
    ),
    makeOperatorCommand('role', 'gives an operator another role', ' viewer')
      .addArgument(new Argument('<role>', 'their new role').choices(roles))
      .changesStore((context, email: string, role: Role) =>
        changeOperator(context, email, {
          changed: { role },
          done: (of) => `Gave ${of} the role ${role}, from the operator’s next request on.`,
          unchanged: `has the role ${role} already`,
          change: (...on) => changeRole(...on, role),
        }),
      ),
    makeOperatorCommand('disable', disables).changesStore((context, email: string) =>
      changeOperator(context, email, {
        changed: { disabled: true },
        done: (of) => `Disabled ${of}, from the operator’s next request on.`,
        unchanged: 'was disabled already',
        change: disableOperator,
      }),
    ),
    // After `unlink`, the operator's next sign-in links the provider's account that has the same email address.
    makeOperatorCommand('unlink', unlinks).changesStore((context, email: string) =>
      changeOperator(context, email, {
        changed: { linked: false },
        done: (of) => `Unlinked ${of}, and signed the operator out everywhere.`,
        unchanged: 'was not linked to an account at the single sign-on provider',
        change: unlinkOperator,
      }),
    ),
  ])
}

const makeConsoleUrl = ({ settings: { console, store } }: CommandContext, path: string): string =>
  (console.origin ?? readConsoleOrigin(store.dataDir) ?? `http://127.0.0.1:${console.port}`) + path

async function runAdd(context: CommandContext, email: string, { role }: { readonly role: Role }) {
  if (!v.is(v.pipe(v.string(), v.trim(), v.email()), email)) {
    throw new CommandError(`${email} is not an email address. Nothing was done.`, exitCodes.usage)
  }
  const link = await addOperator(context.operators, context.actor, email, role)
  if (link === undefined) {
    throw new CommandError(
      'An operator with this email address already exists. Nothing was changed. Use “operators role” to change their role, or “sign-in-link” to let them sign in.',
    )
  }
  const { operator, code } = link
  const invitation = makeConsoleUrl(context, `/sign-in/invitation?code=${code}`)
  return {
    json: { id: operator.id, email: operator.email, role, invitation },
    text: `Added ${operator.email} as ${role}. Send them this invitation. The link works once, for 24 hours:\n\n  ${invitation}`,
  }
}

async function runList({ operators, actor, store: { zone } }: CommandContext) {
  return reportRows(
    await listOperators(operators, actor),
    ({ email, role, disabledAt, seenAt, ...operator }) => {
      const status = seenAt === null ? 'invited' : 'active'
      return {
        Email: email,
        Role: role,
        'Signs in by': describeCredentials(operator) ?? 'nothing yet',
        Status: disabledAt === null ? status : `disabled ${formatIsoTime(disabledAt, zone)}`,
        'Last seen': seenAt === null ? '' : formatIsoTime(seenAt, zone),
      }
    },
    'There are no operators yet. Add one with “operators add <email> --role admin”.',
  )
}

interface OperatorChange {
  readonly changed: Readonly<Record<string, unknown>>
  readonly done: (email: string) => string
  /** Says why there was nothing to change. */
  readonly unchanged: string
  readonly change: (...on: [OperatorContext, CommandLineActor, id: string]) => Promise<string>
}

async function changeOperator(
  { operators, actor }: CommandContext,
  given: string,
  { changed, done, unchanged, change }: OperatorChange,
) {
  const { id, email } = await findOperator(operators, given)
  const outcome = await change(operators, actor, id)
  const text = outcome === 'unchanged' ? `${email} ${unchanged}. Nothing was changed.` : done(email)
  return { json: { email, ...changed }, text }
}

async function findOperator({ db }: OperatorContext, email: string): Promise<Operator> {
  const operator = await findAccountByEmail(db, toEmailAddress(email))
  if (operator !== undefined) return operator
  throw new CommandError(
    'There is no operator with this email address. “operators list” shows all operators.',
  )
}

async function runSignInLink(context: CommandContext, email: string) {
  const { operators, actor } = context
  const { id } = await findOperator(operators, email)
  const made = await makeOperatorLink(operators, actor, id, 'sign-in')
  if (made === undefined) {
    throw new CommandError(
      'This operator is disabled. Nothing was done. First enable the operator on the console’s page Operators.',
    )
  }
  const link = makeConsoleUrl(context, `/sign-in?code=${made.code}`)
  return {
    json: { email: made.operator.email, link },
    text: `This link signs ${made.operator.email} in once, within 15 minutes:\n\n  ${link}`,
  }
}

interface AuditOptions {
  readonly action?: AuditFilter['action']
  readonly who?: string
  readonly subject?: string
  readonly from?: string
  readonly to?: string
  readonly take: number
}

const auditLabels = auditActions.map(describeAuditAction)

function parseAuditAction(text: string) {
  const action = toAuditAction(text)
  if (action !== undefined) return action
  throw new InvalidArgumentError(`Allowed choices are ${auditLabels.join(', ')}.`)
}

async function runAudit(context: CommandContext, options: AuditOptions) {
  const { action, who, subject, from, to, take } = options
  const { zone } = context.store
  const since = from === undefined ? undefined : parseRangeStart(from, zone)
  const until = to === undefined ? undefined : parseRangeEnd(to, zone)
  const operator = who?.includes('@') ? await findOperator(context.operators, who) : undefined
  const user = operator ? undefined : who
  const query = { action, operatorId: operator?.id, user, subject, since, until, take }
  return reportRows(
    await readAudit(context.store, context.actor, query),
    (entry) => ({
      Time: formatIsoTime(entry.at, zone),
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
