/**
 * What can speak against an enquiry being a person's. A strong one is enough by itself; a weak one is found with honest
 * people too, so that it takes two.
 */
const strengths = {
  /** Something stands in a field that people neither see nor reach. */
  'honeypot-filled': 'strong',
  /** The whole form took less time than anybody needs to read it: see `fastestPersonMs`. */
  'too-fast': 'strong',
  /** Its network sends so many that each has to prove some work, and this one could not. */
  'no-proof': 'strong',
  /** The address is one that anybody can read, or that ends within the hour. */
  'disposable-mail': 'weak',
  /** Its network sends many just then; a proof of work came with it. */
  'busy-network': 'weak',
} as const satisfies Readonly<Record<string, 'strong' | 'weak'>>

export type Signal = keyof typeof strengths

export const signals = Object.keys(strengths) as readonly Signal[]

/** Enough by itself. */
export const isStrong = (signal: Signal): boolean => strengths[signal] === 'strong'

/** A suspicious enquiry is stored like any other, and waits for the operator instead of being delivered. */
export function isSuspicious(found: readonly Signal[]): boolean {
  return found.length > 1 || found.some(isStrong)
}
