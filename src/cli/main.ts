import { exitCodes } from './errors.ts'
import { runCommand } from './leads-command.ts'
import { printError } from './terminal.ts'

process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // The next program closed the pipe early, as in `leads list | head`.
  if (code === 'EPIPE') process.exit()
  printError(`The output could not be written completely (${code}).`)
  process.exit(exitCodes.notDone)
})

process.exitCode = await runCommand(process.argv.slice(2))
