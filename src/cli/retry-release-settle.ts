import { type Command, Option } from 'commander'
import { type SettledByHand, settledByHand } from '#domain/delivery/delivery.ts'
import { describeBreaker } from '#domain/delivery/hold.ts'
import { describeUnreadable } from '#domain/lead/lead.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import type { RetryOutcome } from '#server/delivery/retry-deliveries.ts'
import type { SettleOutcome } from '#server/delivery/settle-deliveries.ts'
import type { ReleaseOutcome } from '#server/leads/release-leads.ts'
import type { Store } from '#server/store/open-store.ts'
import { exitCodes, NotDoneError } from './errors.ts'
import { runJob } from './jobs.ts'
import { actOnLead, changeStore, commandLineActor } from './store.ts'
import { confirm, type Json, print, printJson, verb } from './terminal.ts'

interface RetryOptions extends Json {
  readonly allDead?: boolean
  readonly rejectedByCap?: boolean
}

export const retryCommand = (): Command =>
  verb(
    'retry',
    'makes a dead, rejected or waiting delivery due now; its retry schedule starts again, its attempts stay on record',
    {
      examples: [
        'retry 019bc0de-…',
        'retry --all-dead',
        'retry --rejected-by-cap   # after the month has changed',
      ],
    },
  )
    .argument('[id]', 'the lead’s id')
    .option('--all-dead', 'every delivery that has used up its retries')
    .option('--rejected-by-cap', 'every delivery rejected because the monthly cap was reached')
    .action(retry)

async function retry(id: string | undefined, options: RetryOptions): Promise<void> {
  const wishes = [id, options.allDead, options.rejectedByCap].filter((wish) => wish !== undefined)
  if (wishes.length !== 1) {
    throw new NotDoneError('Give one of: an id, --all-dead, --rejected-by-cap.', exitCodes.usage)
  }
  await changeStore(async (store) => {
    if (id !== undefined) await retryOne(store, id, options)
    else await retryEnded(store, options.allDead ? 'all-dead' : 'rejected-by-cap', options)
    await printHold(store, options)
  }, options)
}

async function printHold({ breaker }: Store, { json }: Json): Promise<void> {
  const hold = describeBreaker(await breaker.read())
  if (hold !== undefined && !json) print(`Deliveries are on hold: ${hold}`)
}

async function retryOne(store: Store, id: string, { json }: Json): Promise<void> {
  const outcome = await actOnLead(store).retry(commandLineActor(), id)
  if (json) printJson({ id, ...outcome })
  if (outcome.kind !== 'due') throw new NotDoneError(retryRefusals(id, outcome))
  if (!json) print(`The delivery of ${id} was ${outcome.was} and is due now.`)
}

function retryRefusals(id: string, outcome: Exclude<RetryOutcome, { kind: 'due' }>): string {
  switch (outcome.kind) {
    case 'unknown':
      return `No lead has the id ${id}. “list” shows the ids.`
    case 'delivered':
      return `Lead ${id} has been delivered; sending it again would make a duplicate. Nothing was changed.`
    case 'leased':
      return `Lead ${id} is being delivered right now. Nothing was changed; “show ${id}” shows the result.`
    case 'erased':
      return `Lead ${id} is erased, so nothing is left to send.`
    case 'unreadable':
      return `Lead ${id} is not sent: ${describeUnreadable(outcome)} Nothing was changed.`
    case 'quarantined':
      return `Lead ${id} is in quarantine. Nothing was changed; “release ${id}” makes its delivery due.`
    case 'overtaken':
      return `Lead ${id} is not sent: the same person has enquired again since, and lead ${outcome.by} counts now (“show ${outcome.by}”). Sending both would make a duplicate. Nothing was changed.`
    case 'duplicate':
      return `Lead ${id} owes no delivery: it repeats ${outcome.of}, which is delivered instead. Nothing was changed.`
  }
}

const ended = {
  'all-dead': { which: 'dead', query: 'status=dead', none: 'No delivery is dead.' },
  'rejected-by-cap': {
    which: 'rejected by cap',
    query: 'status=rejected&error=cap',
    none: 'No delivery was rejected by a cap.',
  },
} as const

async function retryEnded(store: Store, flag: keyof typeof ended, { json }: Json): Promise<void> {
  const { which, query, none } = ended[flag]
  const { byStatus, rejectedByCap } = await store.archive.stats(Date.now())
  const total = which === 'dead' ? byStatus.dead : rejectedByCap
  const how = { reason: `retry --${flag}`, doing: 'retrying', total }
  const { report } = await runJob(store, { action: 'retry', query }, how)
  const { due: retried = 0, overtaken = 0, unreadable = 0, failed = 0 } = report
  if (json) return printJson({ which, retried, overtaken, unreadable })
  if (overtaken > 0) {
    print(
      `${pluralize(overtaken, 'lead was', 'leads were')} skipped: the same person has enquired again since, and that enquiry counts.`,
    )
  }
  if (unreadable > 0) {
    print(
      `${pluralize(unreadable, 'lead was', 'leads were')} skipped, because what is stored can’t be read. “list --unreadable” shows them.`,
    )
  }
  printJobResult(retried, failed)
  if (retried + overtaken + unreadable + failed === 0) print(`${none} Nothing was changed.`)
}

function printJobResult(due: number, failed: number): void {
  if (failed > 0) {
    print(`${pluralize(failed, 'lead', 'leads')} failed. “jobs list” and “jobs show” give details.`)
  }
  if (due > 0) {
    print(`${pluralize(due, 'delivery is', 'deliveries are')} due now, the oldest lead first.`)
  }
}

interface ReleaseOptions extends Json {
  readonly all?: boolean
  readonly yes?: boolean
}

export const releaseCommand = (): Command =>
  verb('release', 'releases a lead from quarantine: its delivery is due now', {
    examples: ['release 019bc0de-…', 'release --all'],
  })
    .argument('[id]', 'the lead’s id')
    .option('--all', 'every lead in quarantine, the oldest first')
    .option('--yes', 'skip the confirmation (scripts are never asked)')
    .action(release)

async function release(id: string | undefined, options: ReleaseOptions): Promise<void> {
  if ((id === undefined) === (options.all === undefined)) {
    throw new NotDoneError('Give one of: an id, --all.', exitCodes.usage)
  }
  await changeStore(async (store) => {
    if (id === undefined) await releaseAll(store, options)
    else await releaseOne(store, id, options)
    await printHold(store, options)
  }, options)
}

async function releaseOne(store: Store, id: string, { json }: Json): Promise<void> {
  const outcome = await actOnLead(store).release(commandLineActor(), id)
  if (json) printJson({ id, ...outcome })
  const words = describeRelease(id, outcome)
  if (outcome.kind !== 'due' && outcome.kind !== 'duplicate') throw new NotDoneError(words)
  if (!json) print(words)
}

function describeRelease(id: string, outcome: ReleaseOutcome): string {
  switch (outcome.kind) {
    case 'due':
      return `Lead ${id} is released: its delivery is due now.`
    case 'duplicate':
      return `Lead ${id} is released without a delivery: it repeats ${outcome.of}, which is delivered instead.`
    case 'not quarantined':
      return `Lead ${id} is not in quarantine. Nothing was changed.`
    case 'erased':
      return `Lead ${id} is erased, so nothing is left to send.`
    case 'unknown':
      return `No lead has the id ${id}. “list --status quarantined” shows the ids.`
  }
}

async function releaseAll(store: Store, { yes, json }: ReleaseOptions): Promise<void> {
  const { quarantined } = (await store.archive.stats(Date.now())).byStatus
  if (quarantined > 0 && !yes) {
    await confirm(`Deliver ${pluralize(quarantined, 'suspicious lead')}?`)
  }
  const how = { reason: 'release --all', doing: 'releasing', total: quarantined }
  const { report } = await runJob(store, { action: 'release', query: 'status=quarantined' }, how)
  const { due = 0, 'released, owes none': duplicates = 0, failed = 0 } = report
  if (json) return printJson({ due, duplicates })
  if (due + duplicates + failed === 0) {
    return print('No lead is in quarantine. Nothing was changed.')
  }
  printJobResult(due, failed)
  if (duplicates > 0) print(`${pluralize(duplicates, 'lead repeats', 'leads repeat')} another.`)
}

export const settleCommand = (): Command =>
  verb(
    'settle',
    'records the distributor’s answer about a lead, for example after a restore; the lead is not sent again',
    { examples: ['settle 019bc0de-… --as delivered'] },
  )
    .argument('<id>', 'the lead’s id')
    .addOption(
      new Option('--as <outcome>', 'the distributor’s answer')
        .choices(settledByHand)
        .makeOptionMandatory(),
    )
    .action(settle)

async function settle(id: string, { as, json }: Json & { readonly as: SettledByHand }) {
  const outcome = await changeStore(
    (store) => actOnLead(store).settle(commandLineActor(), id, as),
    { json },
  )
  if (json) printJson({ id, ...outcome })
  if (outcome.kind !== 'settled') throw new NotDoneError(settleRefusals(id, outcome))
  if (!json)
    print(`The delivery of ${id} was ${outcome.was} and is ${as} now. It is not sent again.`)
}

function settleRefusals(id: string, outcome: Exclude<SettleOutcome, { kind: 'settled' }>): string {
  switch (outcome.kind) {
    case 'unknown':
      return `There is no lead with the id ${id}. “list” shows the ids.`
    case 'delivered':
    case 'rejected':
      return `Lead ${id} is ${outcome.kind} already. Nothing was changed.`
    case 'leased':
      return `A worker is delivering lead ${id} now. Nothing was changed. Run “pause” first, then try again.`
    case 'erased':
      return `Lead ${id} is erased. Nothing was changed.`
    case 'quarantined':
      return `Lead ${id} is in quarantine and owes no delivery yet. Nothing was changed.`
    case 'duplicate':
      return `Lead ${id} owes no delivery: it repeats ${outcome.of}, which does. Nothing was changed.`
  }
}
