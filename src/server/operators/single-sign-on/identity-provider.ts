/** Who signed in at the provider, as it says. */
export interface Identity {
  readonly issuer: string
  /** The provider's own id of the person: it alone tells who it is. */
  readonly subject: string
  readonly claims: Readonly<Record<string, unknown>>
  /** When they last signed in there, as epoch milliseconds; undefined where it does not say. */
  readonly authenticatedAt: number | undefined
}

/** What binds an answer to the browser that asked: see {@link import('./sign-on-trips.ts')}. */
export interface TripSecrets {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export type Identified =
  | { readonly kind: 'known'; readonly identity: Identity }
  /** In the protocol's word, or our own: it did not sign them in, or its answer does not hold. */
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'away' }

export interface IdentityProvider {
  readonly issuer: string
  /** Whether the last look found nobody there. Looks again, without a wait. */
  isAway(): boolean
  /**
   * Where the browser goes to sign in; undefined where the provider cannot be reached.
   * @param asksAnew the person gives their password or passkey there, signed in or not
   */
  addressFor(trip: TripSecrets, options: { readonly asksAnew: boolean }): Promise<URL | undefined>
  /** @param answer what follows the question mark of the address that the browser was sent back to */
  identify(answer: string, trip: TripSecrets): Promise<Identified>
}
