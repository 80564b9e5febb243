import type { Command } from 'commander'
import { restoredReason } from '#domain/delivery/hold.ts'
import { pluralize } from '#domain/text/pluralize.ts'
import { makeHoldDeliveries } from '#server/delivery/hold-deliveries.ts'
import { describeServer } from '#server/platform/database/lead-database.ts'
import { NotDoneError } from './errors.ts'
import { auditedAct, changeStore, commandLineActor } from './store.ts'
import { type Json, print, printJson, verb } from './terminal.ts'

interface HoldOptions extends Json {
  readonly reason: string
}

export const pauseCommand = (): Command =>
  verb(
    'pause',
    'holds back all deliveries of every server on this store until “resume”; leads are still accepted',
    { examples: ['pause --reason "distributor maintenance until 18:00"'] },
  )
    .option('--reason <text>', 'shown by “stats”, /readyz and the log; don’t include names', '')
    .action(async (options: HoldOptions) => {
      const [began, isServed] = await hold('pause', options)
      if (options.json) return printJson({ paused: true, began })
      if (!began)
        return print('Deliveries were paused already. The reason and the time are updated.')
      print(
        isServed
          ? 'Deliveries are paused. Calls under way finish; no other begins after one second. To continue, run “resume”.'
          : 'Deliveries are paused for any server that starts on this store; none uses it now. Check that this is the right store. To continue, run “resume”.',
      )
    })

export const resumeCommand = (): Command =>
  verb(
    'resume',
    'ends a pause, or the wait for a distributor that refuses us; waiting leads are sent, the oldest first',
    { examples: ['resume'] },
  )
    .option('--reason <text>', 'shown in the audit log; don’t include names', '')
    .action(async (options: HoldOptions) => {
      const [ended, isServed] = await hold('resume', options)
      if (options.json) return printJson({ paused: false, ended })
      if (!ended) return print('Deliveries were not paused. Nothing was changed.')
      print(
        isServed
          ? 'Deliveries are running. Waiting leads are sent within a second, the oldest first.'
          : 'Deliveries are running. Waiting leads are sent, the oldest first, once a server starts on this store.',
      )
    })

/** @returns whether anything changed, and whether a server runs on the store */
const hold = (what: 'pause' | 'resume', { reason, json }: HoldOptions) =>
  changeStore(
    async (store, { servers }) => {
      const holdDeliveries = makeHoldDeliveries({ ...store, clock: Date.now })
      return [await holdDeliveries(commandLineActor(), what, reason), servers.length > 0] as const
    },
    { json },
  )

export const restoredCommand = (): Command =>
  verb(
    'restored',
    'after a restore: pauses deliveries and lists those that may have been made since the backup',
    {
      examples: ['restored'],
      helpText: `
A backup doesn't contain what was delivered after it was made. Run this on the restored store before a server starts on it:
it pauses deliveries and marks each waiting one as in doubt. “list --restored” shows them; “settle <id> --as delivered”
settles those that the distributor has; “resume” sends the others.`,
    },
  ).action(restored)

async function restored({ json }: Json): Promise<void> {
  const inDoubt = await changeStore(
    async (store, { servers }) => {
      if (servers.length > 0) {
        throw new NotDoneError(
          `A server uses this store (${servers.map(describeServer).join('; ')}): what has come to it since would be in ` +
            'doubt, too. Nothing was changed: stop it first.',
        )
      }
      const { settling, breaker } = store
      return auditedAct(
        store,
        { action: 'marked as restored' },
        async () => {
          await breaker.pause({ reason: restoredReason, at: Date.now() })
          return settling.doubtAll(Date.now())
        },
        (inDoubt) => `${pluralize(inDoubt, 'lead')} in doubt`,
      )
    },
    { json },
  )
  if (json) return printJson({ paused: true, inDoubt })
  if (inDoubt === 0) {
    return print(
      'Deliveries are paused. No waiting delivery may have been made since the backup. Run “resume” to continue.',
    )
  }
  print(
    `Deliveries are paused. ${pluralize(inDoubt, 'lead')} may have been delivered since the backup: “list --restored” has them, ` +
      '“settle <id> --as delivered” settles what the distributor has, “resume” sends the others.',
  )
}
