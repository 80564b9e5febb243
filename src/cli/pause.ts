import { Command } from 'commander'
import { examples } from './examples.ts'
import { print, printJson } from './print.ts'
import { changeStore } from './with-store.ts'

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
  const began = await changeStore(
    ({ breaker }) => breaker.pause({ reason: reason.trim(), at: Date.now() }),
    { json },
  )
  if (json) return printJson({ paused: true, began })
  print(
    began
      ? 'Deliveries are paused: calls under way are finished, and no other begins within a second. “resume” goes on.'
      : 'Deliveries were paused before; the reason is the new one. “resume” goes on.',
  )
}
