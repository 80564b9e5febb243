/** `npm run test:faults` runs the full count; `npm test` runs one that a busy machine can handle. */
export const isFull = process.env.FAULTS === 'full'

export const times = (counts: { readonly modest: number; readonly full: number }): number =>
  isFull ? counts.full : counts.modest

/**
 * How long visitors who only cause load rest after each enquiry, in milliseconds. Without rests, a short run would
 * mostly send their enquiries; with rests, some enquiries and deliveries are still running at any moment.
 */
export const loadRests = times({ modest: 50, full: 0 })
