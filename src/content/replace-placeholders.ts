/** A placeholder is a name in braces, such as `{program}`, that a setting or a visitor's choice replaces. */
const placeholder = /\{([a-z-]+)\}/g

/** Fills in all placeholders in one pass, so that braces in a filled-in value are not read as a placeholder. */
export const replacePlaceholders = (
  text: string,
  values: Readonly<Record<string, string>>,
): string => text.replaceAll(placeholder, (whole, name: string) => values[name] ?? whole)
