/** Those that the settings fill in, everywhere but where the build reads the words, too. */
export const nameplates = ['school', 'operator'] as const

/** In texts that can have links. */
export const linkNames = ['privacy-email', 'unsubscribe-form'] as const

/**
 * Every brace that is no placeholder of this place.
 * @param known those that are
 */
export function strangePlaceholders(text: string, known: readonly string[]): readonly string[] {
  const there =
    known.length === 0
      ? 'there is none here'
      : `here there ${known.length === 1 ? 'is' : 'are'} ${known.map((name) => `{${name}}`).join(', ')}`
  return [...text.matchAll(/\{([^{}]*)\}/g)].flatMap(([found, name = '']) =>
    known.includes(name) ? [] : [`${found} is no placeholder: ${there}`],
  )
}

/** Every text of a file, with its place. */
export function* textsIn(
  value: unknown,
  path: readonly (string | number)[] = [],
): Generator<{ readonly path: readonly (string | number)[]; readonly text: string }> {
  if (typeof value === 'string') yield { path, text: value }
  else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) {
      yield* textsIn(part, [...path, Array.isArray(value) ? Number(key) : key])
    }
  }
}
