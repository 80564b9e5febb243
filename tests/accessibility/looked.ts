interface Finding {
  /** The engine, its rule and, of IBM's, the reason. */
  readonly rule: string
  readonly html: string
  readonly message?: string
  /** The element's path, such as `/html[1]/body[1]`; IBM's engine alone tells it. */
  readonly path?: string
}

/** What an engine found. */
export interface Looked {
  /** What it is sure of. */
  readonly failed: readonly Finding[]
  /** What it asks a person to look at. */
  readonly toCheck: readonly Finding[]
  /** How many checks were passed. */
  readonly passed: number
}
