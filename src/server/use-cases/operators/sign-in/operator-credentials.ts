/** Times are epoch milliseconds. */
export interface Passkey {
  /** The authenticator's own, base64url. */
  readonly id: string
  readonly operatorId: string
  /** base64url. */
  readonly publicKey: string
  readonly counter: number
  readonly createdAt: number
  readonly usedAt: number | null
}

export interface OperatorCredentials {
  /** Its hash; undefined where there is none. */
  password(operatorId: string): Promise<string | undefined>
  /** In the place of one of before. */
  setPassword(operatorId: string, hash: string, at: number): Promise<void>
  passkeys(operatorId: string): Promise<readonly Passkey[]>
  findPasskey(id: string): Promise<Passkey | undefined>
  /** False where it is known already. */
  addPasskey(passkey: Omit<Passkey, 'usedAt'>): Promise<boolean>
  passkeyUsed(id: string, counter: number, at: number): Promise<void>
  removePasskey(id: string, operatorId: string): Promise<boolean>
}
