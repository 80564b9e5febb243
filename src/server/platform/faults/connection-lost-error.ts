import { OwnError } from '#domain/own-error.ts'

/**
 * The connection to PostgreSQL ended, or was given up, before the answer: whether the statement took effect, a commit
 * above all, cannot be known.
 */
export class ConnectionLostError extends OwnError {
  override readonly name = 'ConnectionLostError'
}
