/** `npm run test:faults` asks for the full count; `npm test` for one that a busy machine can bear. */
export const isFull = process.env.FAULTS === 'full'

export const times = (counts: { readonly modest: number; readonly full: number }): number =>
  isFull ? counts.full : counts.modest
