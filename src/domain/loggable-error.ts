/** An error whose message contains only our own text, so that it may be logged. */
export class LoggableError extends Error {
  override readonly name: string = 'LoggableError'
}
