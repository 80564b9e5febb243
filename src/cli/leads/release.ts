import { Command } from 'commander'
import { describeBreaker } from '#domain/delivery/hold.ts'
import { counted } from '#domain/text/counted.ts'
import type { ReleaseOutcome } from '#server/leads/release-leads.ts'
import type { Store } from '#server/start/open-store.ts'
import { runJob } from '../jobs/run-job.ts'
import { exitCodes, NotDoneError } from '../not-done-error.ts'
import { actOnLead, commandLineActor } from '../operators/command-line-actor.ts'
import { changeStore } from '../store/with-store.ts'
import { confirm, examples, print, printJson } from '../terminal/print.ts'

interface ReleaseOptions {
  readonly all?: boolean
  readonly yes?: boolean
  readonly json?: boolean
}

export const releaseCommand = (): Command =>
  new Command('release')
    .description('releases a lead from quarantine: its delivery is due now')
    .argument('[id]', 'the lead’s id')
    .option('--all', 'every lead in quarantine, the oldest first')
    .option('--yes', 'skip the confirmation (scripts are never asked)')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('release 019bc0de-…', 'release --all'))
    .action(release)

async function release(id: string | undefined, options: ReleaseOptions): Promise<void> {
  if ((id === undefined) === (options.all === undefined)) {
    throw new NotDoneError('Give one of: an id, --all.', exitCodes.usage)
  }
  await changeStore(async (store) => {
    if (id === undefined) await releaseAll(store, options)
    else await releaseOne(store, id, options)
    const hold = describeBreaker(await store.breaker.read())
    if (hold !== undefined && !options.json) print(`Deliveries are on hold: ${hold}`)
  }, options)
}

async function releaseOne(store: Store, id: string, { json }: ReleaseOptions): Promise<void> {
  const outcome = await actOnLead(store).release(commandLineActor(), id)
  if (json) printJson({ id, ...outcome })
  const words = inWords(id, outcome)
  if (outcome.kind !== 'due' && outcome.kind !== 'duplicate') throw new NotDoneError(words)
  if (!json) print(words)
}

function inWords(id: string, outcome: ReleaseOutcome): string {
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
    await confirm(`Deliver ${counted(quarantined, 'suspicious lead')}?`)
  }
  const { report } = await runJob(
    store,
    { action: 'release', query: 'status=quarantined' },
    { reason: 'release --all', doing: 'releasing', total: quarantined },
  )
  const { due = 0, 'released, owes none': duplicates = 0, failed = 0 } = report
  if (json) return printJson({ due, duplicates })
  if (due + duplicates + failed === 0) {
    return print('No lead is in quarantine. Nothing was changed.')
  }
  print(`${counted(due, 'delivery is', 'deliveries are')} due now, the oldest lead first.`)
  if (duplicates > 0) print(`${counted(duplicates, 'lead repeats', 'leads repeat')} another.`)
  if (failed > 0) {
    print(`${counted(failed, 'lead', 'leads')} failed. “jobs list” and “jobs show” give details.`)
  }
}
