import type { Played } from './play-stories.ts'
import { stories } from './stories.ts'

/** Formats a table with a row for each story, a column for each browser, and the seconds of each story that passed. */
export function table(played: readonly Played[]): string {
  const rows = [
    ['', ...played.map(({ candidate }) => candidate.name)],
    ['version', ...played.map(({ version }) => version)],
    ['spoken to by', ...played.map(({ candidate }) => candidate.protocol)],
    ...stories.map((story) => [story.title, ...played.map((one) => cell(one, story.title))]),
  ]
  const widths = played.map((_, column) => width(rows, column + 1))
  const line = ([title = '', ...cells]: readonly string[]) =>
    [title.padEnd(width(rows, 0)), ...cells.map((text, at) => text.padStart(widths[at] ?? 0))].join(
      '  ',
    )
  return rows.map(line).join('\n')
}

const width = (rows: readonly (readonly string[])[], column: number) =>
  Math.max(...rows.map((row) => row[column]?.length ?? 0))

function cell({ outcomes }: Played, title: string): string {
  const outcome = outcomes.find(({ story }) => story.title === title)
  if (!outcome) return 'not run'
  return 'fault' in outcome ? 'FAILED' : `${outcome.seconds.toFixed(1)} s`
}
