import { Command } from 'commander'
import { restoredReason } from '#domain/delivery/hold.ts'
import { counted } from '#domain/text/counted.ts'
import { describeServer } from '#server/platform/database/lead-database.ts'
import { NotDoneError } from '../not-done-error.ts'
import { auditedAct, commandLineActor } from '../operators/command-line-actor.ts'
import { examples, print, printJson } from '../terminal/print.ts'
import { changeStore } from './with-store.ts'

const about = `
A backup does not know what was delivered after it was taken. Run this on the restored store, before a server starts on
it: it pauses deliveries, and says of each that is owed that it may have been made. “list --restored” has those; what
the distributor has of them is settled by “settle <id> --as delivered”; “resume” sends the others.`

export const restoredCommand = (): Command =>
  new Command('restored')
    .description(
      'after a restore: pauses deliveries and lists those that may have been made since the backup',
    )
    .option('--json', 'as JSON')
    .addHelpText('after', examples('restored'))
    .addHelpText('after', about)
    .action(restored)

async function restored({ json }: { json?: boolean }): Promise<void> {
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
          await breaker.pause({
            reason: restoredReason,
            at: Date.now(),
            by: commandLineActor(),
          })
          return settling.doubtAll(Date.now())
        },
        (inDoubt) => `${counted(inDoubt, 'lead')} in doubt`,
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
    `Deliveries are paused. ${counted(inDoubt, 'lead')} may have been delivered since the backup: “list --restored” has them, ` +
      '“settle <id> --as delivered” settles what the distributor has, “resume” sends the others.',
  )
}
