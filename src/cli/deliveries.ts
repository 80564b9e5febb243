import { type Command, Option } from 'commander'
import { describeBreaker, restorePauseReason } from '#domain/delivery/breaker.ts'
import { type ManualSettlement, manualSettlements } from '#domain/delivery/delivery.ts'
import { describeOutcomeCounts } from '#domain/job/job-lead-outcome.ts'
import type { FlashMessage } from '#domain/operator/messages.ts'
import { pluralize } from '#domain/text/formats.ts'
import {
  makePauseMessage,
  makeReleaseMessage,
  makeRetryMessage,
  makeSettleMessage,
} from '#server/delivery/action-messages.ts'
import { markOpenInDoubt } from '#server/delivery/change-deliveries.ts'
import type { ReturnColumns } from '#server/delivery/parse-returns.ts'
import { namePauser } from '#server/delivery/pause-deliveries.ts'
import { describeServer } from '#server/platform/database/lead-database.ts'
import { describeImport, maxCsvLines } from '#server/platform/mapped-csv.ts'
import { makeCommand, makeCommandGroup, type Report } from './command.ts'
import { readCsvFile, refuseCsvFile } from './csv-file.ts'
import { CommandError, exitCodes } from './errors.ts'
import { runJobToEnd } from './jobs.ts'
import { type CommandContext, findLeadId, runCommandWithAudit } from './store.ts'
import {
  type ConfirmOption,
  confirm,
  type JsonOption,
  makeSinceFormat,
  skipConfirmation,
} from './terminal.ts'

export const makeDeliveryCommands = (): readonly Command[] => [
  makeCommand('release', 'releases a lead from quarantine: its delivery is due now', [
    'release 019bc0de-…',
    'release --all',
  ])
    .argument('[id]', 'the lead’s reference or id')
    .option(
      '--all',
      'every lead in quarantine, oldest first, except those of people not to contact',
    )
    .option('--despite-do-not-contact', 'even if the person asked not to be contacted')
    .option('--yes', skipConfirmation)
    .changesStore(runRelease),
  makeCommand(
    'retry',
    'makes a dead, rejected or waiting delivery due now, and starts its retry schedule again; earlier attempts stay on record',
    ['retry 019bc0de-…', 'retry --all-dead', 'retry --rejected-by-cap   # in a new month'],
  )
    .argument('[id]', 'the lead’s reference or id')
    .option('--all-dead', 'every delivery that has used up its retries')
    .option('--rejected-by-cap', 'every delivery rejected because of the distributor’s monthly cap')
    .changesStore(runRetry),
  makeCommand(
    'settle',
    'records the distributor’s answer about a lead, for example after a restore; the lead is not sent again',
    ['settle 019bc0de-… --as delivered'],
  )
    .argument('<id>', 'the lead’s reference or id')
    .addOption(
      new Option('--as <outcome>', 'the distributor’s answer')
        .choices(manualSettlements)
        .makeOptionMandatory(),
    )
    .changesStore(async (context, text: string, { as }: { readonly as: ManualSettlement }) => {
      const id = await findLeadId(context, text)
      const outcome = await context.actions.leadActions.settle(context.actor, id, as)
      return reportOutcome(id, outcome, makeSettleMessage(outcome, as))
    }),
  makeCommand(
    'pause',
    'pauses all deliveries of every server on this store until “resume”; new leads are still stored',
    ['pause --reason "distributor maintenance until 18:00"'],
  )
    .option('--reason <text>', 'shown by “stats”, /readyz and the log; don’t include names', '')
    .changesStore(makePauseRun('pause')),
  makeCommand(
    'resume',
    'ends a pause: the workers send the waiting leads, oldest first; while the circuit breaker is open, makes the next call now',
    ['resume'],
  )
    .option('--reason <text>', 'shown in the audit log; don’t include names', '')
    .changesStore(makePauseRun('resume')),
  makeCommand(
    'restored',
    'after a restore: pauses deliveries and marks leads that may have been delivered since the backup',
    ['restored'],
    `
The restored store does not know which leads were delivered since the backup. Run this command on the restored store before
a server starts on it. The command pauses deliveries and marks each waiting lead as in doubt. “list --restored” lists these
leads; “settle <id> --as delivered” settles a lead that the distributor has; “resume” sends the others.`,
  ).changesStore(runRestored),
  makeCommandGroup(
    'returns',
    'leads that the distributor accepted and took back later',
    'import returns.csv',
    [
      makeCommand(
        'import',
        'marks the leads of the distributor’s CSV file as returned',
        [
          'returns import returns.csv',
          'returns import returns.csv --lead "Lead ID" --date Returned --reason Why',
        ],
        `
The file has a line of headings, and at most ${maxCsvLines.toLocaleString('en-US')} leads, each with its id, date and reason.
A date is written like 2026-11-30, 11/30/2026 or 11/30/26, and may have a time like 14:05, 2:05 PM or 14:05-05:00.
A time without an offset is in SCHOOL_TIME_ZONE.
If any line is wrong, nothing is imported. Importing a file again changes nothing.
The store remembers the headings for the next import, by this command or on the console.`,
      )
        .argument('<file>', 'the file')
        .option('--lead <heading>', 'the heading of the column with the leads’ ids')
        .option('--date <heading>', 'the heading of the column with the dates')
        .option('--reason <heading>', 'the heading of the column with the reasons; "" for none')
        .changesStore(runImport),
    ],
  ),
]

async function runRetry(
  context: CommandContext,
  text: string | undefined,
  { allDead, rejectedByCap }: { allDead?: true; rejectedByCap?: true },
) {
  if ([text, allDead, rejectedByCap].filter((wish) => wish !== undefined).length !== 1) {
    throw new CommandError('Give an id, --all-dead or --rejected-by-cap.', exitCodes.usage)
  }
  if (text !== undefined) {
    const id = await findLeadId(context, text)
    const outcome = await context.actions.leadActions.retry(context.actor, id)
    return addBreakerState(context, reportOutcome(id, outcome, makeRetryMessage(outcome)))
  }
  const query = allDead ? 'status=dead' : 'status=rejected&error=cap'
  const reason = `retry --${allDead ? 'all-dead' : 'rejected-by-cap'}`
  const { report } = await runJobToEnd(context, { action: 'retry', query }, reason)
  const { due: retried = 0, overtaken = 0, unreadable = 0 } = report
  return addBreakerState(context, {
    json: { retried, overtaken, unreadable },
    text: `Deliveries due now: ${describeOutcomeCounts(report)}. “jobs list” shows the details.`,
  })
}

/** Reports the outcome of an action on a lead. A refused action ends the command with an error. */
function reportOutcome(
  id: string,
  outcome: object,
  { kind, heading, text = '', lead = '' }: FlashMessage,
) {
  const message = `Lead ${id}: ${heading}. ${text} ${lead}`.trim()
  const json = { id, ...outcome }
  return kind === 'problem' ? { json, error: new CommandError(message) } : { json, text: message }
}

/** Adds what stops deliveries now, unless the report is an error. */
async function addBreakerState(
  { store: { breaker, audit, zone }, actor }: CommandContext,
  report: Report,
) {
  const stop = await namePauser(audit, actor, await breaker.read())
  const state = describeBreaker(stop, makeSinceFormat(zone))
  if (state === undefined || report.error) return report
  return { ...report, text: `${report.text}\nDeliveries: ${state}` }
}

async function runRelease(
  context: CommandContext,
  text: string | undefined,
  {
    all,
    yes,
    despiteDoNotContact: isDespiteList = false,
  }: ConfirmOption & { readonly all?: true; readonly despiteDoNotContact?: boolean },
) {
  if ((text === undefined) === (all === undefined) || (all && isDespiteList)) {
    const message = 'Give an id (perhaps with --despite-do-not-contact) or --all.'
    throw new CommandError(message, exitCodes.usage)
  }
  const { store, actor, actions } = context
  if (text !== undefined) {
    const id = await findLeadId(context, text)
    const outcome = await actions.leadActions.release(actor, id, { isDespiteList })
    const { text: next, ...message } = makeReleaseMessage(outcome)
    const advice =
      outcome.kind === 'asked not to be contacted'
        ? `${next} If the person has changed their mind since, add --despite-do-not-contact.`
        : next
    return addBreakerState(context, reportOutcome(id, outcome, { ...message, text: advice }))
  }
  const { quarantined } = (await store.leadReader.stats(store.clock())).byStatus
  if (quarantined > 0 && !yes) {
    await confirm(`Deliver ${pluralize(quarantined, 'suspicious lead')}?`)
  }
  const order = { action: 'release', query: 'status=quarantined' } as const
  const { report } = await runJobToEnd(context, order, 'release --all')
  const { due = 0, 'released, owes none': duplicates = 0 } = report
  return addBreakerState(context, {
    json: { due, duplicates },
    text: `Released from quarantine: ${describeOutcomeCounts(report)}. “jobs list” shows the details.`,
  })
}

const makePauseRun =
  (change: 'pause' | 'resume') =>
  async (
    { store, actor, actions, state }: CommandContext,
    { reason }: { readonly reason: string },
  ) => {
    const isOpen = change === 'resume' && (await store.breaker.read()).trip !== null
    const act = isOpen ? 'tryNow' : change
    const isChanged = await actions.pauseDeliveries(actor, act, reason)
    const result = ({ pause: 'began', resume: 'ended', tryNow: 'triesNow' } as const)[act]
    const { heading, text } = makePauseMessage(act, isChanged)
    const unused = '\nNo server uses this store now. Check that you meant this store.'
    return {
      json: { paused: change === 'pause', [result]: isChanged },
      text: `${heading}. ${text}${state.servers.length === 0 ? unused : ''}`,
    }
  }

async function runRestored(context: CommandContext) {
  const { breaker, database, clock } = context.store
  const { servers } = context.state
  if (servers.length > 0) {
    throw new CommandError(
      `A server uses this store (${servers.map(describeServer).join('; ')}): leads that arrived since the restore would ` +
        'be in doubt, too. Nothing was changed. Stop the server first.',
    )
  }
  const inDoubt = await runCommandWithAudit(
    context,
    { action: 'marked as restored' },
    async () => {
      await breaker.pause({ reason: restorePauseReason, at: clock() })
      return markOpenInDoubt(database, clock())
    },
    (count) => `${pluralize(count, 'lead')} in doubt`,
  )
  const next =
    inDoubt === 0
      ? 'No waiting lead can have been delivered since the backup. Run “resume” to continue.'
      : `${pluralize(inDoubt, 'lead')} may have been delivered since the backup. “list --restored” lists them, ` +
        '“settle <id> --as delivered” settles a lead that the distributor has, “resume” sends the others.'
  return { json: { paused: true, inDoubt }, text: `Deliveries are paused. ${next}` }
}

async function runImport(
  { actor, actions: { returns } }: CommandContext,
  file: string,
  { json: _, ...given }: Partial<ReturnColumns> & JsonOption,
) {
  const text = await readCsvFile(file)
  const columns = { ...(await returns.columns()), ...given }
  const result = await returns.import(actor, text, columns)
  if (result.kind === 'imported') {
    return { json: result, text: `Returns imported: ${describeImport(result)}.` }
  }
  return refuseCsvFile(file, result)
}
