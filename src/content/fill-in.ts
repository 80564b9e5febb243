/** A name in braces: the settings, the page or the visitor's choice supply its value. */
const placeholder = /\{([a-z-]+)\}/g

/** The text with its placeholders filled in, in one go: what is filled in is never read as one. */
export const fillIn = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(placeholder, (whole, name: string) => values[name] ?? whole)

export const placeholdersIn = (text: string): readonly string[] =>
  [...text.matchAll(placeholder)].map(([, name = '']) => name)
