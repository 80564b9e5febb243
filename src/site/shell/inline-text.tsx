import type { Inline } from '#content/site-words.ts'

/** A line of text with what matters in it, and the links. */
export const InlineText = ({ of: line }: { of: readonly Inline[] }) =>
  line.map((part) => {
    if (typeof part === 'string') return part
    if ('strong' in part) return <strong key={part.strong}>{part.strong}</strong>
    return (
      <a key={part.href} href={part.href}>
        {part.text}
      </a>
    )
  })
