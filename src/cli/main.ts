import { Command } from 'commander'
import { listCommand } from './list.ts'
import { showCommand } from './show.ts'
import { statsCommand } from './stats.ts'

const program = new Command('leads')
  .description('The operator’s view of the leads: what was stored, and what became of it.')
  .usage('<verb> [options]      (run as: npm run leads -- <verb>)')
  .configureHelp({ showGlobalOptions: true })
  .addCommand(listCommand())
  .addCommand(showCommand())
  .addCommand(statsCommand())
  .addHelpText(
    'after',
    '\nThe store is that of the server: DATA_DIR (./data), or DATABASE_URL where it is set.',
  )

await program.parseAsync()
