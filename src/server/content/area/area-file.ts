import * as v from 'valibot'
import { claims } from '../claims.ts'
import { color, line, listOf } from '../text-rules.ts'

/** One area's page: `content/<area>.yaml`. */
export const areaFile = v.strictObject({
  name: line(24),
  title: line(70),
  headline: line(60),
  lead: line(160),
  picture: line(125),
  colors: v.strictObject({
    accent: color,
    stage: v.optional(color),
    tint: v.optional(color),
    'dark-accent': v.optional(color),
    'dark-tint': v.optional(color),
  }),
  claims: v.optional(claims, {}),
  figures: listOf(line(40), 2, 4),
  reasons: listOf(v.strictObject({ topic: line(24), heading: line(40), text: line(280) }), 2, 4),
})

export type AreaFile = v.InferOutput<typeof areaFile>
