/** An error whose whole message is ours: it quotes no outside text, so it may be logged. */
export class LoggableError extends Error {
  override readonly name: string = 'LoggableError'
}
