/** Up to where a page knows what happened; it goes into its address of the stream. */
export interface LiveMark {
  /** The last of the leads' news. */
  readonly seq: number
  /** See `LiveLook`. */
  readonly deliveries: string
}

export const markText = ({ seq, deliveries }: LiveMark): string => `${seq}.${deliveries}`

/** Undefined where it is none: then everything may have changed. */
export function readMark(text: string): LiveMark | undefined {
  const [, seq, deliveries] = /^(\d{1,15})\.([\w-]{1,16})$/.exec(text) ?? []
  return seq === undefined || deliveries === undefined
    ? undefined
    : { seq: Number(seq), deliveries }
}
