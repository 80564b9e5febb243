import { hidden } from './mask-lead.ts'

/** From where to where something goes in the text as it is written. */
export interface Span {
  readonly start: number
  readonly end: number
}

export function withoutSpans(text: string, spans: readonly Span[]): string {
  let shown = ''
  let written = 0
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    if (start >= written) shown += text.slice(written, start) + hidden
    written = Math.max(written, end)
  }
  return shown + text.slice(written)
}
