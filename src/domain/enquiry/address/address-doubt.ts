/** What speaks against the street as it was typed, where the service is sure enough to ask about it. */
export type AddressDoubt =
  /** The lines found are a correction. */
  | 'street-corrected'
  /** The building has units, and none was given. */
  | 'unit-missing'
  /** It could not make out where this is. */
  | 'street-unknown'
