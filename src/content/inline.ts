/** A run of a text: plain, a link, or words that matter. */
export type Inline =
  | string
  | { readonly text: string; readonly href: string }
  | { readonly strong: string }

/** A paragraph, or a list of such lines. */
export type Block = readonly Inline[] | { readonly list: readonly (readonly Inline[])[] }

/** What a reader reads of it. */
export const plainText = (line: readonly Inline[]): string =>
  line
    .map((part) => {
      if (typeof part === 'string') return part
      return 'strong' in part ? part.strong : part.text
    })
    .join('')
