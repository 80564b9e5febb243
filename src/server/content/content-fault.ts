/** What is wrong with one of the operator's files. */
export interface ContentFault {
  /** Within `content/`. */
  readonly file: string
  /** From 1 on; undefined where it is the file as a whole. */
  readonly line?: number | undefined
  readonly message: string
}

/** As an operator reads it: at a start, in the log, and by `check`. */
export const faultInWords = ({ file, line, message }: ContentFault): string =>
  `content/${file}${line === undefined ? '' : `, line ${line}`}: ${message}`
