import type { AlertRule } from './read-rules.ts'

/** The runbook's table of the rules, in their order. */
export const alertTable = (rules: readonly AlertRule[]): string =>
  ['| alert | severity | meaning | what to do |', '|---|---|---|---|', ...rules.map(row)].join('\n')

function row({ alert, labels, annotations }: AlertRule): string {
  const { summary, runbook } = annotations
  const anchor = runbook.slice(runbook.indexOf('#'))
  const section = anchor.slice(1).replaceAll('-', ' ')
  return `| ${alert} | ${labels.severity} | ${summary} | [${section}](${anchor}) |`
}
