/** Somebody asks more often than is allowed. Nothing was done. */
export class SlowDownError extends Error {
  override readonly name = 'SlowDownError'
  /** Until they may ask again. */
  readonly seconds: number

  constructor(seconds: number) {
    super(`asked too often: again in ${seconds} s`)
    this.seconds = seconds
  }
}
