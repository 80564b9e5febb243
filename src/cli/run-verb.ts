import { CommanderError } from 'commander'
import { StoreUnavailableError } from '#server/platform/faults/database-errors.ts'
import { leadsCommand } from './leads-command.ts'
import { exitCodes, NotDoneError } from './not-done-error.ts'
import { printFault } from './terminal/print.ts'

/**
 * Runs what was typed after `npm run leads --`, and says what stood in its way.
 * @returns the exit code
 */
export async function runVerb(args: readonly string[]): Promise<number> {
  try {
    await leadsCommand().parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    return tell(error)
  }
}

function tell(error: unknown): number {
  // Commander has written its own words; asking for help is no fault.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage
  if (error instanceof NotDoneError) {
    printFault(error.message)
    return error.exitCode
  }
  if (error instanceof StoreUnavailableError) {
    printFault(error.message)
    return exitCodes.unavailable
  }
  // A fault of ours. Node would print it with what else it holds, and raw.
  printFault(error instanceof Error ? (error.stack ?? error.message) : String(error))
  return exitCodes.notDone
}
