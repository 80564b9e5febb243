import { Command } from 'commander'
import { auditedAct } from '../operators/audited-act.ts'
import { changeStore } from '../store/with-store.ts'
import { examples } from '../terminal/examples.ts'
import { print, printJson } from '../terminal/print.ts'

export const resumeCommand = (): Command =>
  new Command('resume')
    .description(
      'ends a pause, an operator’s or one after a refusal; what waits is sent, the oldest first',
    )
    .option('--json', 'as JSON')
    .addHelpText('after', examples('resume'))
    .action(resume)

async function resume({ json }: { json?: boolean }): Promise<void> {
  const { ended, isServed } = await changeStore(
    async (store, { servers }) => ({
      ended: await auditedAct(
        store,
        { action: 'resumed deliveries' },
        () => store.breaker.resume(),
        (ended) => (ended ? 'resumed' : 'were not paused'),
      ),
      isServed: servers.length > 0,
    }),
    { json },
  )
  if (json) return printJson({ paused: false, ended })
  print(inWords(ended, isServed))
}

function inWords(ended: boolean, isServed: boolean): string {
  if (!ended) return 'Deliveries were not paused: nothing has changed.'
  return isServed
    ? 'Deliveries go on: what waits is sent within a second, the oldest first.'
    : 'Nothing holds deliveries back any more: what waits is sent once a server starts on this store, the oldest first.'
}
