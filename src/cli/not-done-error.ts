import { exitCodes } from './exit-codes.ts'

/** Ends a verb with words for the operator: what happened, what was kept, what to do. */
export class NotDoneError extends Error {
  override readonly name = 'NotDoneError'
  readonly exitCode: number

  constructor(message: string, exitCode: number = exitCodes.notDone, options?: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
  }
}
