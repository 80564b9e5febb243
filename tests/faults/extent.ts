/** `npm run test:faults` asks for the full count; `npm test` for one that a busy machine can bear. */
export const isFull = process.env.FAULTS === 'full'

export const times = (counts: { readonly modest: number; readonly full: number }): number =>
  isFull ? counts.full : counts.modest

/**
 * How long visitors who are the load rest after each enquiry, in milliseconds. Without it most of a short run is what they
 * send; with it some enquiries and deliveries are under way at any moment still.
 */
export const loadRests = times({ modest: 50, full: 0 })
