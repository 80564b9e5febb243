import { Command } from 'commander'
import { makeHoldDeliveries } from '#server/delivery/hold-deliveries.ts'
import { commandLineActor } from '../operators/command-line-actor.ts'
import { changeStore } from '../store/with-store.ts'
import { examples, print, printJson } from '../terminal/print.ts'

interface HoldOptions {
  readonly reason: string
  readonly json?: boolean
}

export const pauseCommand = (): Command =>
  new Command('pause')
    .description(
      'holds back all deliveries of every server on this store until “resume”; leads are still accepted',
    )
    .option('--reason <text>', 'shown by “stats”, /readyz and the log; don’t include names', '')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('pause --reason "distributor maintenance until 18:00"'))
    .action(async ({ reason, json }: HoldOptions) => {
      const [began, isServed] = await hold('pause', reason, json)
      if (json) return printJson({ paused: true, began })
      if (!began)
        return print('Deliveries were paused already. The reason and the time are updated.')
      print(
        isServed
          ? 'Deliveries are paused. Calls under way finish; no other begins after one second. To continue, run “resume”.'
          : 'Deliveries are paused for any server that starts on this store; none uses it now. Check that this is the right store. To continue, run “resume”.',
      )
    })

export const resumeCommand = (): Command =>
  new Command('resume')
    .description(
      'ends a pause, or the wait for a distributor that refuses us; waiting leads are sent, the oldest first',
    )
    .option('--reason <text>', 'shown in the audit log and the console; don’t include names', '')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('resume'))
    .action(async ({ reason, json }: HoldOptions) => {
      const [ended, isServed] = await hold('resume', reason, json)
      if (json) return printJson({ paused: false, ended })
      if (!ended) return print('Deliveries were not paused. Nothing was changed.')
      print(
        isServed
          ? 'Deliveries are running. Waiting leads are sent within a second, the oldest first.'
          : 'Deliveries are running. Waiting leads are sent, the oldest first, once a server starts on this store.',
      )
    })

/** @returns whether it changed anything, and whether a server runs on this store */
const hold = (what: 'pause' | 'resume', reason: string, json: boolean | undefined) =>
  changeStore(
    async (store, { servers }) => {
      const holds = makeHoldDeliveries({ ...store, clock: Date.now })
      return [await holds[what](commandLineActor(), reason), servers.length > 0] as const
    },
    { json },
  )
