/** An error that may be logged, because its message contains only our own text. */
export class LoggableError extends Error {
  override readonly name: string = 'LoggableError'
}
