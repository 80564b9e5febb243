import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import * as v from 'valibot'

const file = resolve(import.meta.dirname, '../../deploy/grafana/campus-enquiry.json')

const panel = v.object({
  type: v.string(),
  title: v.pipe(v.string(), v.nonEmpty()),
  description: v.pipe(v.string(), v.nonEmpty()),
  gridPos: v.object({ x: v.number(), y: v.number(), w: v.number(), h: v.number() }),
  fieldConfig: v.object({ defaults: v.object({ unit: v.pipe(v.string(), v.nonEmpty()) }) }),
  targets: v.pipe(v.array(v.object({ expr: v.pipe(v.string(), v.nonEmpty()) })), v.nonEmpty()),
})
const row = v.object({ type: v.literal('row'), title: v.pipe(v.string(), v.nonEmpty()) })

/** Reads the panels that show data. Throws if a panel lacks a title, a unit or a query. */
export const readDashboard = () =>
  v
    .parse(
      v.object({ panels: v.array(v.union([row, panel])) }),
      JSON.parse(readFileSync(file, 'utf8')),
    )
    .panels.filter((found) => 'targets' in found)
