interface Finding {
  /** The engine, its rule and, of IBM's, the reason. */
  readonly rule: string
  readonly html: string
  readonly message?: string
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
