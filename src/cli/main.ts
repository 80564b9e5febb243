import { exitCodes } from './not-done-error.ts'
import { runVerb } from './run-verb.ts'
import { printFault } from './terminal/print.ts'

process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // The reader closed the pipe early, as in: leads list | head
  if (code === 'EPIPE') process.exit()
  printFault(
    `What this says cannot be written to where it is to go (${code}): it is not whole there.`,
  )
  process.exit(exitCodes.notDone)
})

process.exitCode = await runVerb(process.argv.slice(2))
