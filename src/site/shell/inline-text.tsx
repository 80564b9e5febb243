import type { Inline } from '#content/legal/legal-page.ts'

/** A line of text with the links in it. */
export const InlineText = ({ of: line }: { of: readonly Inline[] }) =>
  line.map((part) =>
    typeof part === 'string' ? (
      part
    ) : (
      <a key={part.href} href={part.href}>
        {part.text}
      </a>
    ),
  )
