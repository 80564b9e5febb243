import type { AlertRule } from './read-rules.ts'

/** The rules as the runbook has them, in their order. */
export const alertTable = (rules: readonly AlertRule[]): string =>
  [
    '| alert | severity | fires when | means | what to do |',
    '|---|---|---|---|---|',
    ...rules.map(row),
  ].join('\n')

function row({ alert, expr, for: since, labels, annotations }: AlertRule): string {
  const when = `\`${expr.replaceAll('|', '\\|')}\`${since === undefined ? '' : ` for ${since}`}`
  const { summary, runbook } = annotations
  const anchor = runbook.slice(runbook.indexOf('#'))
  const section = anchor.slice(1).replaceAll('-', ' ')
  return `| ${alert} | ${labels.severity} | ${when} | ${summary} | [${section}](${anchor}) |`
}
