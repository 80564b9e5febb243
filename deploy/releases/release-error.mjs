/** What an operator can read and act on. */
export class ReleaseError extends Error {
  name = 'ReleaseError'
}
