import type { ShownCount } from './shown-deliveries.ts'

/** `over 50,000` where not all were counted. */
export const countInWords = ({ count, isAll }: ShownCount): string =>
  `${isAll ? '' : 'over '}${count.toLocaleString('en-US')}`
