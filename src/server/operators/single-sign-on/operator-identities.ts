/** Who an operator is at a provider. */
export interface ProvidersId {
  readonly issuer: string
  readonly subject: string
}

/** Times are epoch milliseconds. */
export interface OperatorIdentities {
  /** The operator's id. */
  find(identity: ProvidersId): Promise<string | undefined>
  /** Whether the operator is somebody there. */
  isKnownAt(issuer: string, operatorId: string): Promise<boolean>
  /** False where the identity is an operator's already. */
  link(operatorId: string, identity: ProvidersId, at: number): Promise<boolean>
  used(identity: ProvidersId, at: number): Promise<void>
  /** Forgets who the operator is at every provider; resolves with how many those were. */
  unlink(operatorId: string): Promise<number>
}
