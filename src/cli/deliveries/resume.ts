import { Command } from 'commander'
import { makeHoldDeliveries } from '#server/delivery/hold-deliveries.ts'
import { commandLineActor } from '../operators/command-line-actor.ts'
import { changeStore } from '../store/with-store.ts'
import { examples, print, printJson } from '../terminal/print.ts'

export const resumeCommand = (): Command =>
  new Command('resume')
    .description(
      'ends a pause, an operator’s or one because the distributor refuses us; what waits is sent, the oldest first',
    )
    .option('--reason <text>', 'stands in the audit and on the console: name nobody in it', '')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('resume'))
    .action(resume)

async function resume({ reason, json }: { reason: string; json?: boolean }): Promise<void> {
  const outcome = await changeStore(
    async (store, { servers }) => ({
      ended: await makeHoldDeliveries({ ...store, clock: Date.now }).resume(
        commandLineActor(),
        reason,
      ),
      isServed: servers.length > 0,
    }),
    { json },
  )
  if (json) return printJson({ paused: false, ended: outcome.ended })
  print(inWords(outcome))
}

interface Outcome {
  readonly ended: boolean
  /** A server runs on this store. */
  readonly isServed: boolean
}

function inWords({ ended, isServed }: Outcome): string {
  if (!ended) return 'Deliveries were not paused: nothing has changed.'
  return isServed
    ? 'Deliveries go on: what waits is sent within a second, the oldest first.'
    : 'Nothing holds deliveries back any more: what waits is sent once a server starts on this store, the oldest first.'
}
