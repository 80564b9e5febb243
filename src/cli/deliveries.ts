import { readFile } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import { describeBreaker, restorePauseReason } from '#domain/delivery/breaker.ts'
import { describeLimits, describeScope } from '#domain/delivery/cap.ts'
import { type ManualSettlement, manualSettlements } from '#domain/delivery/delivery.ts'
import { describeOutcomeCounts } from '#domain/job/job-lead-outcome.ts'
import type { FlashMessage } from '#domain/operator/messages.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import {
  makePauseMessage,
  makeReleaseMessage,
  makeRetryMessage,
  makeSettleMessage,
} from '#server/delivery/action-messages.ts'
import { describeReturnsImport, makeReturnsImporter } from '#server/delivery/import-returns.ts'
import { makeCapActions } from '#server/delivery/manage-caps.ts'
import { maxReturnLines, type ReturnColumns } from '#server/delivery/parse-returns.ts'
import { makePauseActions, namePauser } from '#server/delivery/pause-deliveries.ts'
import { markOpenInDoubt } from '#server/delivery/settle-deliveries.ts'
import { decodeCsv } from '#server/platform/csv-lines.ts'
import { describeServer } from '#server/platform/database/lead-database.ts'
import type { Store } from '#server/store/open-store.ts'
import { CommandError, exitCodes } from './errors.ts'
import { runJobToEnd } from './jobs.ts'
import {
  findCliActor,
  openLeadActions,
  readServerSettings,
  runCommandWithAudit,
  withStore,
  withStoreForChanges,
} from './store.ts'
import {
  confirm,
  type JsonOption,
  makeCommand,
  makeCommandGroup,
  print,
  printJson,
  printRows,
  skipConfirmation,
} from './terminal.ts'

export const makeRetryCommand = (): Command =>
  makeCommand(
    'retry',
    'makes a dead, rejected or waiting delivery due now, and starts its retry schedule again; earlier attempts stay on record',
    {
      examples: [
        'retry 019bc0de-…',
        'retry --all-dead',
        'retry --rejected-by-cap   # in a new month',
      ],
    },
  )
    .argument('[id]', 'the lead’s id')
    .option('--all-dead', 'every delivery that has used up its retries')
    .option('--rejected-by-cap', 'every delivery rejected because of the distributor’s monthly cap')
    .action(runRetry)

async function runRetry(
  id: string | undefined,
  options: JsonOption & { readonly allDead?: true; readonly rejectedByCap?: true },
): Promise<void> {
  const { allDead, rejectedByCap, json } = options
  if ([id, allDead, rejectedByCap].filter((wish) => wish !== undefined).length !== 1) {
    throw new CommandError('Give one of: an id, --all-dead, --rejected-by-cap.', exitCodes.usage)
  }
  await withStoreForChanges(async (store) => {
    if (id !== undefined) {
      const outcome = await openLeadActions(store).retry(findCliActor(), id)
      printOutcome(id, outcome, makeRetryMessage(outcome), options)
    } else {
      const query = allDead ? 'status=dead' : 'status=rejected&error=cap'
      const reason = `retry --${allDead ? 'all-dead' : 'rejected-by-cap'}`
      const { report } = await runJobToEnd(store, { action: 'retry', query }, reason)
      const { due: retried = 0, overtaken = 0, unreadable = 0 } = report
      if (json) return printJson({ retried, overtaken, unreadable })
      print(`Deliveries due now: ${describeOutcomeCounts(report)}. “jobs list” shows the details.`)
    }
    await printBreakerState(store, options)
  }, options)
}

/** Prints the outcome of an action on a lead. @throws CommandError if the action was refused */
function printOutcome(
  id: string,
  outcome: object,
  { kind, heading, text = '', lead = '' }: FlashMessage,
  { json }: JsonOption,
): void {
  const message = `Lead ${id}: ${heading}. ${text} ${lead}`.trim()
  if (json) printJson({ id, ...outcome })
  if (kind === 'problem') throw new CommandError(message)
  if (!json) print(message)
}

async function printBreakerState({ breaker, audit }: Store, { json }: JsonOption): Promise<void> {
  const state = describeBreaker(await namePauser(audit, findCliActor(), await breaker.read()))
  if (state !== undefined && !json) print(`Deliveries: ${state}`)
}

interface ReleaseOptions extends JsonOption {
  readonly all?: boolean
  readonly yes?: boolean
}

export const makeReleaseCommand = (): Command =>
  makeCommand('release', 'releases a lead from quarantine: its delivery is due now', {
    examples: ['release 019bc0de-…', 'release --all'],
  })
    .argument('[id]', 'the lead’s id')
    .option('--all', 'every lead in quarantine, oldest first')
    .option('--yes', skipConfirmation)
    .action(runRelease)

async function runRelease(id: string | undefined, options: ReleaseOptions): Promise<void> {
  if ((id === undefined) === (options.all === undefined)) {
    throw new CommandError('Give one of: an id, --all.', exitCodes.usage)
  }
  await withStoreForChanges(async (store) => {
    if (id === undefined) {
      await releaseAll(store, options)
    } else {
      const outcome = await openLeadActions(store).release(findCliActor(), id)
      printOutcome(id, outcome, makeReleaseMessage(outcome), options)
    }
    await printBreakerState(store, options)
  }, options)
}

async function releaseAll(store: Store, { yes, json }: ReleaseOptions): Promise<void> {
  const { quarantined } = (await store.leadReader.stats(store.clock())).byStatus
  if (quarantined > 0 && !yes) {
    await confirm(`Deliver ${pluralize(quarantined, 'suspicious lead')}?`)
  }
  const order = { action: 'release', query: 'status=quarantined' } as const
  const { report } = await runJobToEnd(store, order, 'release --all')
  const { due = 0, 'released, owes none': duplicates = 0 } = report
  if (json) return printJson({ due, duplicates })
  print(
    `Released from quarantine: ${describeOutcomeCounts(report)}. “jobs list” shows the details.`,
  )
}

export const makeSettleCommand = (): Command =>
  makeCommand(
    'settle',
    'records the distributor’s answer about a lead, for example after a restore; the lead is not sent again',
    { examples: ['settle 019bc0de-… --as delivered'] },
  )
    .argument('<id>', 'the lead’s id')
    .addOption(
      new Option('--as <outcome>', 'the distributor’s answer')
        .choices(manualSettlements)
        .makeOptionMandatory(),
    )
    .action((id: string, options: JsonOption & { readonly as: ManualSettlement }) =>
      withStoreForChanges(async (store) => {
        const outcome = await openLeadActions(store).settle(findCliActor(), id, options.as)
        printOutcome(id, outcome, makeSettleMessage(outcome, options.as), options)
      }, options),
    )

interface PauseOptions extends JsonOption {
  readonly reason: string
}

export const makePauseCommand = (): Command =>
  makeCommand(
    'pause',
    'pauses all deliveries of every server on this store until “resume”; new leads are still stored',
    { examples: ['pause --reason "distributor maintenance until 18:00"'] },
  )
    .option('--reason <text>', 'shown by “stats”, /readyz and the log; don’t include names', '')
    .action((options: PauseOptions) => pauseOrResume('pause', options))

export const makeResumeCommand = (): Command =>
  makeCommand(
    'resume',
    'ends a pause: the workers send the waiting leads, oldest first; while the circuit breaker is open, makes the next call now',
    { examples: ['resume'] },
  )
    .option('--reason <text>', 'shown in the audit log; don’t include names', '')
    .action((options: PauseOptions) => pauseOrResume('resume', options))

const pauseOrResume = (change: 'pause' | 'resume', options: PauseOptions): Promise<void> =>
  withStoreForChanges(async (store, { servers }) => {
    const changePause = makePauseActions(store)
    const isOpen = change === 'resume' && (await store.breaker.read()).trip !== null
    const act = isOpen ? 'tryNow' : change
    const isChanged = await changePause(findCliActor(), act, options.reason)
    if (options.json) {
      const results = { pause: 'began', resume: 'ended', tryNow: 'triesNow' } as const
      return printJson({ paused: change === 'pause', [results[act]]: isChanged })
    }
    const { heading, text } = makePauseMessage(act, isChanged)
    print(`${heading}. ${text}`)
    if (servers.length === 0)
      print('No server uses this store now. Check that you meant this store.')
  }, options)

export const makeRestoredCommand = (): Command =>
  makeCommand(
    'restored',
    'after a restore: pauses deliveries and marks leads that may have been delivered since the backup',
    {
      examples: ['restored'],
      helpText: `
The restored store does not know which leads were delivered since the backup. Run this command on the restored store before
a server starts on it. The command pauses deliveries and marks each waiting lead as in doubt. “list --restored” lists these
leads; “settle <id> --as delivered” settles a lead that the distributor has; “resume” sends the others.`,
    },
  ).action(runRestored)

const runRestored = (options: JsonOption): Promise<void> =>
  withStoreForChanges(async (store, { servers }) => {
    if (servers.length > 0) {
      throw new CommandError(
        `A server uses this store (${servers.map(describeServer).join('; ')}): leads that arrived since the restore would ` +
          'be in doubt, too. Nothing was changed. Stop the server first.',
      )
    }
    const inDoubt = await runCommandWithAudit(
      store,
      { action: 'marked as restored' },
      async () => {
        await store.breaker.pause({ reason: restorePauseReason, at: store.clock() })
        return markOpenInDoubt(store.database, store.clock())
      },
      (count) => `${pluralize(count, 'lead')} in doubt`,
    )
    if (options.json) return printJson({ paused: true, inDoubt })
    print(
      inDoubt === 0
        ? 'Deliveries are paused. No waiting lead can have been delivered since the backup. Run “resume” to continue.'
        : `Deliveries are paused. ${pluralize(inDoubt, 'lead')} may have been delivered since the backup. “list --restored” ` +
            'lists them, “settle <id> --as delivered” settles a lead that the distributor has, “resume” sends the others.',
    )
  }, options)

type ImportOptions = JsonOption & Partial<ReturnColumns>

export const makeReturnsCommand = (): Command =>
  makeCommandGroup(
    'returns',
    'leads that the distributor accepted and took back later',
    'import returns.csv',
    [
      makeCommand('import', 'marks the leads of the distributor’s CSV file as returned', {
        examples: [
          'returns import returns.csv',
          'returns import returns.csv --lead "Lead ID" --date Returned --reason Why',
        ],
        helpText: `
The file has a line of headings, and at most ${maxReturnLines.toLocaleString('en-US')} leads, each with its reference, date and reason.
A date is written like 2026-11-30, 11/30/2026 or 11/30/26, and may have a time like 14:05, 2:05 PM or 14:05-05:00.
A time without an offset is in SCHOOL_TIME_ZONE.
If any line is wrong, nothing is imported. Importing a file again changes nothing.
The store remembers the headings for the next import, by this command or on the console.`,
      })
        .argument('<file>', 'the file')
        .option('--lead <heading>', 'the heading of the column with the leads’ references')
        .option('--date <heading>', 'the heading of the column with the dates')
        .option('--reason <heading>', 'the heading of the column with the reasons; "" for none')
        .action(runImport),
    ],
  )

async function runImport(file: string, { json, ...given }: ImportOptions): Promise<void> {
  const bytes = await readFile(file).catch(({ code }: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} cannot be read (${code}). Nothing was changed.`)
  })
  const result = await withStoreForChanges(
    async (store) => {
      const returns = makeReturnsImporter({
        ...store.database,
        audit: store.audit,
        clock: store.clock,
        zone: readServerSettings().delivery.zone,
      })
      const columns = { ...(await returns.columns()), ...given }
      return returns.import(findCliActor(), decodeCsv(bytes), columns)
    },
    { json },
  )
  if (json) printJson(result)
  else if (result.kind === 'imported') print(`Returns imported: ${describeReturnsImport(result)}.`)
  if (result.kind === 'imported') return
  const faults = [
    ...Object.entries(result.columns).map(
      ([field, fault]) => `${fault} To name another column, use --${field} <heading>.`,
    ),
    ...result.faults.map(({ line, message }) => `line ${line}: ${message}`),
  ]
  throw new CommandError(
    `Nothing was imported from ${file}:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
  )
}

export const makeCapsCommand = (): Command =>
  makeCommandGroup(
    'caps',
    'limits on how many leads are sent, by program, affiliate and state; admins change caps on the console',
    'list',
    [
      makeCommand('list', 'lists caps, with the leads that each has counted and holds', {
        examples: ['caps list'],
      }).action(listCaps),
    ],
  )

export const makeCliCapActions = ({ operators, audit, clock }: Store) =>
  makeCapActions({
    ...{ ...operators, audit, clock },
    zone: readServerSettings().delivery.zone,
  })

async function listCaps(options: JsonOption): Promise<void> {
  const caps = await withStore((store) => makeCliCapActions(store).list(findCliActor()), options)
  printRows(
    caps,
    options,
    (cap) => ({
      Cap: cap.id,
      'Applies to': describeScope(cap),
      Limit: describeLimits(cap),
      Used: `${cap.used}${cap.maxLeads === null ? '' : ` of ${cap.maxLeads}`}`,
      Held: String(cap.held),
    }),
    'There are no caps: every lead is sent at once.',
  )
}
