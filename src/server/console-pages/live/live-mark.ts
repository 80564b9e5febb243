/** Up to where a page knows what happened; it goes into its address of the stream. */
export interface LiveMark {
  /** The last of the leads' news. */
  readonly seq: number
  /** See `LiveLook`. */
  readonly deliveries: string
  readonly jobs: string
}

export const markText = ({ seq, deliveries, jobs }: LiveMark): string =>
  `${seq}.${deliveries}.${jobs}`

/** Undefined where it is none: then everything may have changed. */
export function readMark(text: string): LiveMark | undefined {
  const [, seq, deliveries, jobs] = /^(\d{1,15})\.([\w-]{1,16})\.([\w-]{1,16})$/.exec(text) ?? []
  return seq === undefined || deliveries === undefined || jobs === undefined
    ? undefined
    : { seq: Number(seq), deliveries, jobs }
}
