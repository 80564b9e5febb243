/** The text between backticks, except in code blocks. */
export const inlineCode = (markdown: string): readonly string[] =>
  [...markdown.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').matchAll(/`([^`\n]+)`/g)].map(
    ([, code = '']) => code,
  )
