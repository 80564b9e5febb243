interface Finding {
  /** The engine and its rule, for IBM with the reason. */
  readonly rule: string
  readonly html: string
  readonly message?: string
  /** The element's path, such as `/html[1]/body[1]`, which only IBM's engine reports. */
  readonly path?: string
}

/** The findings of an engine. */
export interface Looked {
  /** Certain faults. */
  readonly failed: readonly Finding[]
  /** Questions that a person must answer. */
  readonly toCheck: readonly Finding[]
  /** The number of passed checks. */
  readonly passed: number
}
