import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { type AlertCase, alertCases } from './alert-cases.ts'
import { alertTable } from './alert-table.ts'
import { promtool } from './promtool.ts'
import { type AlertRule, readRules, rulesFile } from './read-rules.ts'

const rules = readRules()

test('every alert has cases in which it fires and cases in which it does not', () => {
  expect(Object.keys(alertCases)).toEqual(rules.map(({ alert }) => alert))
  for (const [alert, cases] of Object.entries(alertCases)) {
    expect(new Set(cases.map(({ fires }) => fires.length > 0)).size, alert).toBe(2)
  }
})

test('Prometheus fires each alert exactly in its cases', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'alert-rules-'))
  const files = rules.map((rule) => writeTests(folder, rule))
  const said = await promtool('test', 'rules', ...files)
  rmSync(folder, { recursive: true })
  expect(said).not.toContain('FAILED')
})

test.each(['prometheus.yml', 'compose.yml'])(
  'Prometheus starts with the rules on %s',
  async (name) => {
    const said = await promtool('check', 'config', resolve(rulesFile, '..', name))
    expect(said).toContain(`${rules.length} rules found`)
  },
)

test('the runbook’s table has the same rules, and each names a section of the runbook', () => {
  const runbook = readFileSync(resolve(rulesFile, '../../../docs/runbook.md'), 'utf8')
  expect(runbook).toContain(alertTable(rules))
})

/** Writes a test file with one rule, because promtool evaluates every given rule at each step of each series. */
function writeTests(folder: string, rule: AlertRule): string {
  const { alert } = rule
  const [ruleFile, file] = [join(folder, `${alert}.rules.yml`), join(folder, `${alert}.yml`)]
  const cases = alertCases[alert] ?? []
  writeFileSync(ruleFile, stringify({ groups: [{ name: alert, rules: [rule] }] }))
  const isOfDays = cases.some(({ at }) => Number.parseInt(at, 10) > 24 && at.includes('h'))
  writeFileSync(
    file,
    stringify({
      rule_files: [ruleFile],
      evaluation_interval: isOfDays ? '1h' : '1m',
      tests: cases.map(asPromtoolTest(rule)),
    }),
  )
  return file
}

const asPromtoolTest =
  ({ alert, labels: own, annotations }: AlertRule) =>
  ({ what, series, at, fires, interval = '1m' }: AlertCase) => ({
    name: `${alert}: ${what}`,
    interval,
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    alert_rule_test: [
      {
        eval_time: at,
        alertname: alert,
        exp_alerts: fires.map((labels) => ({
          exp_labels: { ...own, ...labels },
          exp_annotations: annotations,
        })),
      },
    ],
  })
