import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { metricNames } from './metric-names.ts'
import { promtool } from './promtool.ts'
import { readDashboard } from './read-dashboard.ts'

const panels = readDashboard()

test('every panel has its own title and a unit, and overlaps no other', () => {
  expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length)
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
})

test('Prometheus understands every panel’s query', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dashboard-'))
  const file = join(folder, 'queries.yml')
  const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
  // Grafana replaces the interval's variable.
  const rules = queries.map((query, index) => ({
    record: `panel:${index}`,
    expr: query.replaceAll('$__rate_interval', '5m'),
  }))
  writeFileSync(file, stringify({ groups: [{ name: 'panels', rules }] }))
  const said = await promtool('check', 'rules', file)
  rmSync(folder, { recursive: true })
  expect(said).toContain(`SUCCESS: ${rules.length} rules found`)
})

test('metricNames finds exactly the names of metrics in a query', () => {
  const query =
    'sum by (le) (rate(a_seconds_bucket{x="b_total"}[5m])) > 0.2 * (c offset 1w) and on (d) up == 0'
  expect(metricNames(query)).toEqual(['a_seconds', 'c'])
})
