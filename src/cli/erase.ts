import { setTimeout } from 'node:timers/promises'
import type { Command } from 'commander'
import {
  consentRetentionYears,
  findRetentionLimits,
  maxRetentionDays,
} from '#domain/lead/retention.ts'
import { pluralize } from '#domain/text/formats.ts'
import { erasureLeftoverNotes } from '#server/delivery/action-messages.ts'
import { makeJobThrottle } from '#server/jobs/job-runner.ts'
import {
  type ExpiredLeadCounts,
  eraseExpiredLeads,
  finalDeliveryStatuses,
  makeExpiredLeadEraser,
} from '#server/leads/erase-expired-leads.ts'
import type { ErasureResult, PersonToErase } from '#server/leads/erase-person.ts'
import type { StoreState } from '#server/platform/database/store-state.ts'
import { toEmailAddress } from '#server/platform/email-address.ts'
import { makeCommand } from './command.ts'
import { CommandError, exitCodes } from './errors.ts'
import {
  assertNotMoved,
  type CommandContext,
  findLeadId,
  makeMovedStoreError,
  runCommandWithAudit,
} from './store.ts'
import {
  type ConfirmOption,
  confirm,
  formatTable,
  makeIntegerParser,
  makeProgressBar,
  print,
} from './terminal.ts'

export const makeErasureCommands = (): readonly Command[] => [
  makeCommand(
    'erase',
    'erases a person’s name, address, phone, email and IP, and stops pending deliveries. Cannot be undone',
    ['erase --email ada@example.com', 'erase --id 019bc0de-…'],
    `
The store keeps ids, times, area, program, each delivery’s result, and the consent’s text, time and page.
Ask the distributor to erase its copy, and delete the person from backups and earlier exports.
SQLite’s files are wiped at once. PostgreSQL keeps old rows until VACUUM has run.
If you archive PostgreSQL’s log (WAL), the archive contains the data as long as you keep it.`,
  )
    .option('--email <address>', 'the person’s email address; case and outer spaces are ignored')
    .option('--id <lead>', 'the id of one lead, or its reference, as on the thank-you page')
    .option(
      '--yes',
      'skip the confirmation, and erase leads with different phone numbers even without a terminal',
    )
    .readsStore(runErase),
  makeCommand(
    'retain',
    'erases leads older than RETENTION_DAYS, and proofs of consent older than five years. Cannot be undone',
    ['retain --dry-run', 'retain --days 365 --dry-run', 'retain --yes'],
    `
If RETENTION_DAYS is set, a worker also erases these leads at its start and once a day.
A lead with an open delivery is not erased until the delivery is settled.
The store keeps ids, times, area, program and each delivery’s result, and for ${consentRetentionYears} years the proof of consent:
text, time, page, IP address and browser.`,
  )
    .option('--dry-run', 'count the leads that would be erased, and change nothing')
    .option('--yes', 'erase without a confirmation')
    .option('--days <n>', 'days, instead of RETENTION_DAYS', makeIntegerParser(maxRetentionDays))
    .readsStore(runRetain),
]

interface EraseOptions extends ConfirmOption {
  readonly email?: string
  readonly id?: string
}

async function runErase(context: CommandContext, { email, id, yes }: EraseOptions) {
  const { store, actor, actions, state } = context
  const person = parsePerson(email, id && (await findLeadId(context, id)))
  const { ids } = await store.erasure.find(person)
  const phones = await store.erasure.countPhones(ids)
  if (ids.length > 0 && !yes) {
    const leads = `${pluralize(ids.length, 'lead')}${phones > 1 ? ` with ${phones} different phone numbers` : ''}`
    await confirm(`Erase the person’s data in ${leads} for good?`)
    if (phones > 1 && !process.stdin.isTTY) throw makeSeveralPeopleError(ids, leads)
  }
  const erased = await actions.leadActions.erase(actor, person)
  const text = erased.leads > 0 ? describeErased(erased) : undefined
  return { json: erased, text, error: findErasureError(erased, id, state) }
}

/** Returns the error if no lead was erased, or another store has the person's leads, too. */
function findErasureError(
  { leads, unsearched }: ErasureResult,
  id: string | undefined,
  { place, movedTo }: StoreState,
): CommandError | undefined {
  // After a move to PostgreSQL, the old SQLite file also contains the person's data, so both stores need an erasure.
  if (movedTo !== undefined) {
    const done = leads === 0 ? 'Nothing was changed' : 'The person was erased only in this old copy'
    return makeMovedStoreError(place, movedTo, `${done}: erase the person in the new store, too.`)
  }
  if (leads > 0) return undefined
  const none = `No ${unsearched.length > 0 ? 'readable ' : ''}lead has this ${id === undefined ? 'email address' : 'id'}`
  const message = `${none}, or the lead is already erased. Nothing was changed.`
  return new CommandError([message, ...describeUnsearchedLeads(unsearched)].join('\n'))
}

function parsePerson(email: string | undefined, id: string | undefined): PersonToErase {
  if (email !== undefined && id === undefined) return toEmailAddress(email)
  if (id !== undefined && email === undefined) return { leadId: id }
  throw new CommandError('Give --email or --id.', exitCodes.usage)
}

const makeSeveralPeopleError = (ids: readonly string[], leads: string): CommandError =>
  new CommandError(
    `The email address found ${leads}, so the leads may be of different people. Nothing was erased. Check the leads with ` +
      `“show”: ${nameLeads(ids)}. Then erase one lead with --id, or add --yes to erase all of them.`,
  )

function describeErased(erased: ErasureResult): string {
  const { leads, stopped, underWay, delivered, linked, unsearched, bytes } = erased
  const facts: readonly (readonly [number, string])[] = [
    [leads, `The person’s data in ${pluralize(leads, 'lead')} is erased.`],
    [stopped, `${pluralize(stopped, 'delivery is', 'deliveries are')} canceled.`],
    [
      underWay,
      `${pluralize(underWay, 'delivery was', 'deliveries were')} in progress: “show” says whether the distributor has the lead.`,
    ],
    [
      delivered,
      `The distributor has ${pluralize(delivered, 'of these leads', 'of these leads')}: ask the distributor to erase its copies.`,
    ],
    [
      linked.length,
      `Not erased: ${linked.join(', ')}. The same open page sent these leads; check with “show” whether the person is the same.`,
    ],
  ]
  const lines = facts.filter(([count]) => count > 0).map(([, line]) => line)
  return [...lines, ...describeUnsearchedLeads(unsearched), erasureLeftoverNotes[bytes]].join('\n')
}

const nameLeads = (ids: readonly string[]): string =>
  ids.slice(0, 10).join(', ') + (ids.length > 10 ? ` and ${ids.length - 10} more` : '')

/** Names the leads that a search by email address missed, because their data cannot be read. */
export function describeUnsearchedLeads(ids: readonly string[]): readonly string[] {
  if (ids.length === 0) return []
  return [
    `Not searched: ${pluralize(ids.length, 'lead')} whose email address cannot be read (${nameLeads(ids)}). Check each lead ` +
      'with “show”, and erase the person’s leads with “erase --id”: docs/runbook.md, “A lead cannot be read”.',
  ]
}

interface RetainOptions extends ConfirmOption {
  readonly dryRun?: true
  readonly days?: number
}

async function runRetain(context: CommandContext, options: RetainOptions) {
  const { store, settings, state } = context
  const { dryRun, yes, days = settings.names.retentionDays } = options
  if (days === undefined) {
    throw new CommandError(
      'RETENTION_DAYS is not set for this command. Set RETENTION_DAYS to the value that the server uses, or add --days.',
      exitCodes.usage,
    )
  }
  if (dryRun ? yes : !yes && !process.stdin.isTTY) {
    throw new CommandError(
      'Nothing was done. Give --dry-run to count the leads, or --yes to erase them.',
      exitCodes.usage,
    )
  }
  // An erasure on a store whose leads were moved would miss the moved leads.
  if (!dryRun) assertNotMoved(state)
  const now = store.clock()
  const limits = findRetentionLimits(now, days)
  const retention = makeExpiredLeadEraser(store.database)
  const found = await retention.count(limits)
  if (dryRun) return { json: { days, ...found }, text: describeExpired(found, days) }
  const total = finalDeliveryStatuses.reduce((sum, status) => sum + found.leads[status], 0)
  if (!yes) {
    print(describeExpired(found, days))
    if (total + found.consents > 0) await confirm('Erase these leads’ answers for good?')
  }
  const bar = makeProgressBar('retain')
  const erase = () =>
    eraseExpiredLeads(
      retention,
      { limits, now, throttle: makeJobThrottle(), onProgress: (n) => bar.update(n, total) },
      { pause: setTimeout, isStopping: () => false },
    )
  const entry = {
    action: 'erased old leads',
    subject: `older than ${pluralize(days, 'day')}`,
  } as const
  const { leads, consents } = await (total + found.consents === 0
    ? erase()
    : runCommandWithAudit(context, entry, erase, (done) => pluralize(done.leads, 'lead'))
  ).finally(bar.end)
  const bytes = await retention.wipe()
  const text =
    leads + consents === 0
      ? `Nothing was erased: no lead is old enough. The limit is ${pluralize(days, 'day')}.`
      : `The answers of ${pluralize(leads, 'lead')} are erased.\n` +
        `${pluralize(consents, 'proof')} of consent older than ${consentRetentionYears} years are deleted.\n` +
        erasureLeftoverNotes[bytes]
  return { json: { days, leads, consents, bytes }, text }
}

function describeExpired(
  { leads, stillOwed, consents }: ExpiredLeadCounts,
  keptDays: number,
): string {
  return [
    formatTable(
      [`Older than ${keptDays} days`, 'Leads'],
      finalDeliveryStatuses.map((kind) => [kind, String(leads[kind])]),
    ),
    '',
    `Proofs of consent older than ${consentRetentionYears} years: ${consents}`,
    ...(stillOwed > 0 ? [`Leads kept until their delivery is settled: ${stillOwed}`] : []),
  ].join('\n')
}
