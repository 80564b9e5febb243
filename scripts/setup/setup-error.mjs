/** A fault that its reader can do something about: `message` says what happened and what to do. */
export class SetupError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message)
    this.name = 'SetupError'
  }
}
