/** Exit codes beside 0, which means done, or done already. */
export const exitCodes = {
  /** It was not done, and the message says why. */
  notDone: 1,
  /** The command line has an error. */
  usage: 2,
  /** EX_UNAVAILABLE and EX_CONFIG of sysexits.h. */
  unavailable: 69,
  configuration: 78,
  /** 128 + SIGINT, as a shell has it. */
  interrupted: 130,
} as const

/** Ends a verb with words for the operator: what happened, what was kept, what to do. */
export class NotDoneError extends Error {
  override readonly name = 'NotDoneError'
  readonly exitCode: number

  constructor(message: string, exitCode: number = exitCodes.notDone, options?: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
  }
}
