import type { AlertRule } from './read-rules.ts'

/** The rules as the runbook has them, in their order. */
export const alertTable = (rules: readonly AlertRule[]): string =>
  ['| alert | fires when | means | what to do |', '|---|---|---|---|', ...rules.map(row)].join('\n')

function row({ alert, expr, for: since, annotations }: AlertRule): string {
  const when = `\`${expr.replaceAll('|', '\\|')}\`${since === undefined ? '' : ` for ${since}`}`
  const { summary, runbook } = annotations
  const section = runbook.slice(1).replaceAll('-', ' ')
  return `| ${alert} | ${when} | ${summary} | [${section}](${runbook}) |`
}
