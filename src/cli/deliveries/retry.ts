import { Command } from 'commander'
import { describeBreaker } from '#domain/delivery/hold.ts'
import { describeUnreadable } from '#domain/lead/lead.ts'
import { counted } from '#domain/text/counted.ts'
import type { RetryOutcome } from '#server/delivery/retry-deliveries.ts'
import type { Store } from '#server/start/open-store.ts'
import { runJob } from '../jobs/run-job.ts'
import { exitCodes, NotDoneError } from '../not-done-error.ts'
import { actOnLead, commandLineActor } from '../operators/command-line-actor.ts'
import { changeStore } from '../store/with-store.ts'
import { examples, print, printJson } from '../terminal/print.ts'

interface RetryOptions {
  readonly allDead?: boolean
  readonly rejectedByCap?: boolean
  readonly json?: boolean
}

export const retryCommand = (): Command =>
  new Command('retry')
    .description(
      'makes a dead, rejected or waiting delivery due now; its retry schedule starts again, its attempts stay on record',
    )
    .argument('[id]', 'the lead’s id')
    .option('--all-dead', 'every delivery that has used up its retries')
    .option('--rejected-by-cap', 'every delivery rejected because the monthly cap was reached')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(
        'retry 019bc0de-…',
        'retry --all-dead',
        'retry --rejected-by-cap   # after the month has changed',
      ),
    )
    .action(retry)

async function retry(id: string | undefined, options: RetryOptions): Promise<void> {
  const wishes = [id, options.allDead, options.rejectedByCap].filter((wish) => wish !== undefined)
  if (wishes.length !== 1) {
    throw new NotDoneError('Give one of: an id, --all-dead, --rejected-by-cap.', exitCodes.usage)
  }
  await changeStore(async (store) => {
    if (id !== undefined) await retryOne(store, id, options)
    else await retryEnded(store, options.allDead ? 'all-dead' : 'rejected-by-cap', options)
    const hold = describeBreaker(await store.breaker.read())
    if (hold !== undefined && !options.json) print(`Deliveries are on hold: ${hold}`)
  }, options)
}

async function retryOne(store: Store, id: string, { json }: RetryOptions): Promise<void> {
  const outcome = await actOnLead(store).retry(commandLineActor(), id)
  if (json) printJson({ id, ...outcome })
  if (outcome.kind !== 'due') throw new NotDoneError(whyNotDone(id, outcome))
  if (!json) print(`The delivery of ${id} was ${outcome.was} and is due now.`)
}

function whyNotDone(id: string, outcome: Exclude<RetryOutcome, { kind: 'due' }>): string {
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

async function retryEnded(
  store: Store,
  flag: keyof typeof ended,
  { json }: RetryOptions,
): Promise<void> {
  const { which, query, none } = ended[flag]
  const { byStatus, rejectedByCap } = await store.archive.stats(Date.now())
  const { report } = await runJob(
    store,
    { action: 'retry', query },
    {
      reason: `retry --${flag}`,
      doing: 'retrying',
      total: which === 'dead' ? byStatus.dead : rejectedByCap,
    },
  )
  const { due: retried = 0, overtaken = 0, unreadable = 0, failed = 0 } = report
  if (json) return printJson({ which, retried, overtaken, unreadable })
  if (overtaken > 0) {
    print(
      `${counted(overtaken, 'lead was', 'leads were')} skipped: the same person has enquired again since, and that enquiry counts.`,
    )
  }
  if (unreadable > 0) {
    print(
      `${counted(unreadable, 'lead was', 'leads were')} skipped, because what is stored can’t be read. “list --unreadable” shows them.`,
    )
  }
  if (failed > 0) {
    print(`${counted(failed, 'lead', 'leads')} failed. “jobs list” and “jobs show” give details.`)
  }
  if (retried > 0) {
    print(`${counted(retried, 'delivery is', 'deliveries are')} due now, the oldest lead first.`)
  } else if (overtaken + unreadable + failed === 0) print(`${none} Nothing was changed.`)
}
