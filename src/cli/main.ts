import { CommanderError } from 'commander'
import { exitCodes } from './exit-codes.ts'
import { leadsCommand } from './leads-command.ts'
import { NotDoneError } from './not-done-error.ts'

// Whoever reads us has seen enough: leads list | head
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

try {
  await leadsCommand().parseAsync()
} catch (error) {
  process.exitCode = tell(error)
}

function tell(error: unknown): number {
  // Commander has written its own words; asking for help is no fault.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage
  if (!(error instanceof NotDoneError)) throw error
  process.stderr.write(`${error.message}\n`)
  return error.exitCode
}
