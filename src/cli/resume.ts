import { Command } from 'commander'
import { examples } from './examples.ts'
import { print, printJson } from './print.ts'
import { changeStore } from './with-store.ts'

export const resumeCommand = (): Command =>
  new Command('resume')
    .description(
      'ends a pause, an operator’s or one after a refusal; what waits is sent, the oldest first',
    )
    .option('--json', 'as JSON')
    .addHelpText('after', examples('resume'))
    .action(resume)

async function resume({ json }: { json?: boolean }): Promise<void> {
  const ended = await changeStore(({ breaker }) => breaker.resume(), { json })
  if (json) return printJson({ paused: false, ended })
  print(
    ended
      ? 'Deliveries go on: what waits is sent within a second, the oldest first.'
      : 'Deliveries were not paused: nothing has changed.',
  )
}
