/** An error whose words are ours from the first to the last: they quote nothing that came from outside, so a log may have them. */
export class OwnError extends Error {
  override readonly name: string = 'OwnError'
}
