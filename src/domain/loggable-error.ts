/** An error with a message that contains only our own text, so it may be logged. */
export class LoggableError extends Error {
  override readonly name: string = 'LoggableError'
}
