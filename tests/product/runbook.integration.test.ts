import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { metricNames } from '#tests/prometheus/metric-names.ts'
import { readDashboard } from '#tests/prometheus/read-dashboard.ts'
import { readRules } from '#tests/prometheus/read-rules.ts'
import { startInProcess } from './start-in-process.ts'

const readRunbook = () =>
  readFile(resolve(import.meta.dirname, '../../docs/runbook.md'), { encoding: 'utf8' })

const metricPrefix =
  /^((leads|delivery|third_party|requests)(_|$)|(campus_enquiry|console|http|retention|store)_)/
/** Log lines, which may begin like a metric. */
const isLogLine = /^`[a-z]+( [a-z]+){2}/
/** Metrics of every Node process, which prom-client documents. */
const ofAnyProcess = /^(process|nodejs)_/

test('the alerts and the dashboard show every metric of ours, and no document names one that does not exist', async () => {
  const product = await startInProcess()
  onTestFinished(product.stop)
  const metrics = await (await fetch(`${product.url}/metrics`)).text()
  const all = new Set([...metrics.matchAll(/^# TYPE (\S+) \S+$/gm)].map(([, name = '']) => name))
  const names = new Set([...all].filter((name) => !ofAnyProcess.test(name)))
  const spoken = [...(await readRunbook()).matchAll(/`[^`]*`/g)]
    .filter(([code]) => !isLogLine.test(code))
    .flatMap(([code]) => code.match(/[a-z_]+(?=[`{[) ])/g) ?? [])
    .filter((word) => metricPrefix.test(word) && word !== 'leads_')
    .map((word) => word.replace(/_(bucket|count|sum)$/, ''))
  expect(spoken.length).toBeGreaterThan(10)
  expect(spoken.filter((name) => !names.has(name))).toEqual([])
  const asked = [
    ...readRules().map(({ expr }) => expr),
    ...readDashboard().flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ].flatMap(metricNames)
  expect(asked.filter((name) => !all.has(name))).toEqual([])
  expect([...names].filter((name) => !asked.includes(name))).toEqual([])
})
