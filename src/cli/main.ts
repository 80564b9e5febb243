import { exitCodes } from './not-done-error.ts'
import { runVerb } from './run-verb.ts'
import { printFault } from './terminal/print.ts'

process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // The reader closed the pipe early, as in: leads list | head
  if (code === 'EPIPE') process.exit()
  printFault(`The output could not be written completely (${code}).`)
  process.exit(exitCodes.notDone)
})

process.exitCode = await runVerb(process.argv.slice(2))
