import { Command } from 'commander'
import { breakerInWords } from '#domain/delivery/hold.ts'
import { unreadableInWords } from '#domain/lead/unreadable-in-words.ts'
import { counted } from '#domain/text/counted.ts'
import {
  type EndedDeliveries,
  type RetryOutcome,
  retryAllEnded,
} from '#server/delivery/retry-deliveries.ts'
import type { Store } from '#server/start/open-store.ts'
import { exitCodes } from '../exit-codes.ts'
import { NotDoneError } from '../not-done-error.ts'
import { actOnLead, auditedAct, commandLineActor } from '../operators/command-line-actor.ts'
import { changeStore } from '../store/with-store.ts'
import { examples } from '../terminal/examples.ts'
import { print, printJson } from '../terminal/print.ts'
import { progressBar } from '../terminal/progress-bar.ts'

interface RetryOptions {
  readonly allDead?: boolean
  readonly rejectedByCap?: boolean
  readonly json?: boolean
}

export const retryCommand = (): Command =>
  new Command('retry')
    .description(
      'makes deliveries due at once: a dead, rejected or waiting one; its schedule starts anew, its attempts are kept',
    )
    .argument('[id]', 'the lead’s id')
    .option('--all-dead', 'every delivery whose retries are used up')
    .option('--rejected-by-cap', 'every one rejected because the month’s cap was reached')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(
        'retry 019bc0de-…',
        'retry --all-dead',
        'retry --rejected-by-cap   # once the new month has begun',
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
    else await retryEnded(store, options.allDead ? 'dead' : 'rejected by cap', options)
    const hold = breakerInWords(await store.breaker.read())
    if (hold !== undefined && !options.json) print(`Deliveries wait: ${hold}`)
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
      return `There is no lead with the id ${id}. “list” shows the ids.`
    case 'delivered':
      return `Lead ${id} has been delivered: sending it again would make a duplicate. Nothing was changed.`
    case 'leased':
      return `A worker is delivering lead ${id} at this moment. Nothing was changed; “show ${id}” tells what comes of it.`
    case 'erased':
      return `Lead ${id} is erased: there is nothing left to send.`
    case 'unreadable':
      return `Lead ${id} is not sent: ${unreadableInWords(outcome)} Nothing was changed.`
    case 'quarantined':
      return `Lead ${id} is in quarantine and owes no delivery yet: “release ${id}” makes it due. Nothing was changed.`
    case 'overtaken':
      return `Lead ${id} is not sent: its person has enquired again since, and ${outcome.by} counts now (“show ${outcome.by}”). Sending both would make a duplicate. Nothing was changed.`
    case 'duplicate':
      return `Lead ${id} owes no delivery: it repeats ${outcome.of}, which does. Nothing was changed.`
  }
}

async function retryEnded(
  store: Store,
  which: EndedDeliveries,
  { json }: RetryOptions,
): Promise<void> {
  const { byStatus, rejectedByCap } = await store.archive.stats(Date.now())
  const bar = progressBar('retrying', which === 'dead' ? byStatus.dead : rejectedByCap)
  const {
    due: retried,
    overtaken,
    unreadable,
  } = await auditedAct(
    store,
    { action: 'retried deliveries', subject: which },
    () => retryAllEnded(store.retries, which, Date.now, bar.update),
    ({ due }) => `${due} due`,
  )
  bar.end()
  if (json) return printJson({ which, retried, overtaken, unreadable })
  if (overtaken > 0) {
    const leads = counted(
      overtaken,
      'lead is not sent, as its person has',
      'leads are not sent, as their people have',
    )
    print(`${leads} enquired again since, and that enquiry counts now.`)
  }
  if (unreadable > 0) {
    print(
      `${counted(unreadable, 'lead is', 'leads are')} not sent: what is stored of them cannot be read (“list --unreadable”).`,
    )
  }
  if (retried === 0 && overtaken + unreadable > 0) return
  const none = which === 'dead' ? 'No delivery is dead.' : 'No delivery was rejected by a cap.'
  print(
    retried === 0
      ? `${none} Nothing was changed.`
      : `${counted(retried, 'delivery is', 'deliveries are')} due now, the oldest lead first.`,
  )
}
