import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import * as v from 'valibot'
import { parse } from 'yaml'

export const rulesFile = resolve(import.meta.dirname, '../../deploy/prometheus/rules.yml')

const rule = v.strictObject({
  alert: v.string(),
  expr: v.string(),
  for: v.optional(v.string()),
  labels: v.strictObject({ severity: v.picklist(['critical', 'warning']) }),
  annotations: v.strictObject({
    summary: v.string(),
    runbook: v.pipe(v.string(), v.startsWith('docs/runbook.md#')),
  }),
})
export type AlertRule = v.InferOutput<typeof rule>

const file = v.object({ groups: v.tuple([v.object({ rules: v.array(rule) })]) })

export const readRules = (): readonly AlertRule[] =>
  v.parse(file, parse(readFileSync(rulesFile, 'utf8'))).groups[0].rules
