/** For the end of a verb's help. */
export const examples = (...lines: readonly string[]): string =>
  [
    '',
    lines.length === 1 ? 'Example:' : 'Examples:',
    ...lines.map((line) => `  npm run leads -- ${line}`),
  ].join('\n')
