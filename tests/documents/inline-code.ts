/** What stands between backticks in the text, without the blocks. */
export const inlineCode = (markdown: string): readonly string[] =>
  [...markdown.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').matchAll(/`([^`\n]+)`/g)].map(
    ([, code = '']) => code,
  )
