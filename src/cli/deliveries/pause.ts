import { Command } from 'commander'
import { makeHoldDeliveries } from '#server/delivery/hold-deliveries.ts'
import { commandLineActor } from '../operators/command-line-actor.ts'
import { changeStore } from '../store/with-store.ts'
import { examples, print, printJson } from '../terminal/print.ts'

export const pauseCommand = (): Command =>
  new Command('pause')
    .description(
      'holds back all deliveries, of every server on this store, until “resume”; leads are still accepted',
    )
    .option('--reason <text>', 'shown by “stats”, /readyz and in the log: name nobody in it', '')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('pause --reason "the distributor moves house until 18:00"'))
    .action(pause)

async function pause({ reason, json }: { reason: string; json?: boolean }): Promise<void> {
  const outcome = await changeStore(
    async (store, { servers }) => ({
      began: await makeHoldDeliveries({ ...store, clock: Date.now }).pause(
        commandLineActor(),
        reason,
      ),
      isServed: servers.length > 0,
    }),
    { json },
  )
  if (json) return printJson({ paused: true, began: outcome.began })
  print(inWords(outcome))
}

interface Outcome {
  readonly began: boolean
  /** A server runs on this store. */
  readonly isServed: boolean
}

function inWords({ began, isServed }: Outcome): string {
  if (!began)
    return 'Deliveries were paused before; reason and time are the new ones. “resume” goes on.'
  return isServed
    ? 'Deliveries are paused: calls under way are finished, and no other begins within a second. “resume” goes on.'
    : 'Deliveries are paused, for whichever server starts on this store: none uses it now. Is it the right one? “resume” goes on.'
}
