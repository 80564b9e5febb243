import { Command, InvalidArgumentError } from 'commander'
import { consentYears, mostRetentionDays, retentionLimits } from '#domain/lead/retention.ts'
import { counted } from '#domain/text/counted.ts'
import {
  countExpired,
  countPurged,
  type Expired,
  endedKinds,
} from '#server/leads/purge-expired-leads.ts'
import { retryConflicts } from '#server/platform/database/retry-conflicts.ts'
import { runJob } from '../jobs/run-job.ts'
import { exitCodes, NotDoneError } from '../not-done-error.ts'
import { serverSettings } from '../server-settings.ts'
import { changeStore, withStore } from '../store/with-store.ts'
import { confirm, examples, print, printJson, table } from '../terminal/print.ts'
import { erasedBytesNotes } from './about-bytes.ts'

interface RetainOptions {
  readonly dryRun?: boolean
  readonly yes?: boolean
  readonly days?: number
  readonly json?: boolean
}

const about = `
If RETENTION_DAYS is set, a worker does the same at its start and once a day.
Erased: the answers of leads that are older than that and have no open delivery.
Kept: ids, times, area, program, each delivery’s result, and for ${consentYears} years the proof of consent: text, time, page,
IP address, browser. Then that is erased too. A lead with an open delivery stays until the delivery is settled.`

export const retainCommand = (): Command =>
  new Command('retain')
    .description(
      'erases the leads that are older than RETENTION_DAYS, and proofs of consent after five years. Cannot be undone',
    )
    .option('--dry-run', 'count the leads that would be erased, and change nothing')
    .option('--yes', 'do it')
    .option('--days <n>', 'instead of RETENTION_DAYS', days)
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples('retain --dry-run', 'retain --days 365 --dry-run', 'retain --yes'),
    )
    .addHelpText('after', about)
    .action(retain)

async function retain({ dryRun, yes, json, ...options }: RetainOptions): Promise<void> {
  const keptDays = options.days ?? serverSettings().names.retentionDays
  if (keptDays === undefined) {
    throw new NotDoneError(
      'RETENTION_DAYS is not set for this command. Set it as for the server, or give --days.',
      exitCodes.usage,
    )
  }
  if (dryRun && yes) throw new NotDoneError('Give one of: --dry-run, --yes.', exitCodes.usage)
  if (!dryRun && !yes && !process.stdin.isTTY) {
    throw new NotDoneError('Nothing was done: give --dry-run to look, or --yes.', exitCodes.usage)
  }
  const now = Date.now()
  const limits = retentionLimits(now, keptDays)
  // A store whose leads have moved may be counted, but erasing there would not erase the leads.
  const openStore = dryRun ? withStore : changeStore
  await openStore(
    async (store) => {
      const { patient, wipe } = store.database
      const found = await retryConflicts(() => countExpired(patient, limits))
      if (dryRun)
        return json ? printJson({ days: keptDays, ...found }) : print(inWords(found, keptDays))
      const total = endedKinds.reduce((sum, kind) => sum + found.leads[kind], 0)
      if (!yes) {
        print(inWords(found, keptDays))
        await confirm(`Erase the answers of ${counted(total, 'lead')} for good?`)
      }
      const { report } = await runJob(
        store,
        { action: 'purge', query: `days=${keptDays}` },
        { reason: 'retain', doing: 'erasing', total: total + found.consents },
      )
      const done = countPurged(report)
      const bytes = await wipe()
      if (json) {
        return printJson({ days: keptDays, leads: done.leads, consents: done.consents, bytes })
      }
      print(`The answers of ${counted(done.leads, 'lead')} are erased.`)
      print(
        `${counted(done.consents, 'proof')} of consent older than ${consentYears} years removed.`,
      )
      print(erasedBytesNotes[bytes])
    },
    { json },
  )
}

function inWords({ leads, stillOwed, consents }: Expired, keptDays: number): string {
  return [
    table(
      [`Older than ${keptDays} days`, 'Leads'],
      endedKinds.map((kind) => [kind, String(leads[kind])]),
    ),
    '',
    `Proofs of consent older than ${consentYears} years: ${consents}`,
    ...(stillOwed > 0
      ? [`Still owed to the distributor, so they stay until that is settled: ${stillOwed}`]
      : []),
  ].join('\n')
}

function days(text: string): number {
  const n = Number(text)
  if (/^\d{1,4}$/.test(text) && n >= 1 && n <= mostRetentionDays) return n
  throw new InvalidArgumentError(`Give a whole number of days from 1 to ${mostRetentionDays}.`)
}
