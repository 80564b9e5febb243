import { exitCodes } from './errors.ts'
import { makeLeadsCommand, runCommand } from './leads-command.ts'
import { printError } from './terminal.ts'

process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // EPIPE: the program that reads the output has ended, as in `leads list | head`.
  if (code === 'EPIPE') process.exit()
  printError(`The output could not be written completely (${code}).`)
  process.exit(exitCodes.notDone)
})

process.exitCode = await runCommand(makeLeadsCommand(), process.argv.slice(2))
