import * as v from 'valibot'
import { areas } from '#domain/area.ts'
import { type Field, fields } from '#domain/enquiry/enquiry.ts'
import { ruleNames } from '#domain/enquiry/rules.ts'
import { type StepNumber, steps, thankYouStep } from '#domain/enquiry/steps.ts'
import { maxVisitMs } from '#domain/measuring/visit.ts'

/** The longest body of `POST /api/events`, in bytes. */
export const maxReportBytes = 4096

const makeIntegerSchema = (most: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(most))

const makePerStepSchema = (most: number) =>
  v.fallback(v.pipe(v.array(makeIntegerSchema(most)), v.maxLength(steps.length + 1)), [])

/** Leaves out a malformed part, and keeps the rest of the report. */
const makeLenientSchema = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.fallback(v.optional(schema), undefined)

const refusals: readonly string[] = fields.flatMap((field) =>
  ruleNames.map((rule) => `${field} ${rule}`),
)

/**
 * The body of `POST /api/events`: a visit so far, so that a lost or repeated report changes nothing. Names in the
 * report come from fixed lists; only source and campaign are texts, from the address of the visitor's link.
 */
export const visitReportSchema = v.object({
  /** A random id of the tab: 128 bits in hex. */
  id: v.pipe(v.string(), v.regex(/^[\da-f]{32}$/)),
  area: v.picklist(areas),
  device: v.picklist(['phone', 'tablet', 'desktop']),
  openMs: makeIntegerSchema(maxVisitMs),
  isStarted: v.fallback(v.boolean(), false),
  step: v.pipe(
    makeIntegerSchema(thankYouStep),
    v.transform((step) => step as StepNumber),
  ),
  shown: makePerStepSchema(1000),
  visibleMs: makePerStepSchema(maxVisitMs),
  field: makeLenientSchema(v.picklist(fields as readonly [Field, ...Field[]])),
  refused: v.fallback(v.pipe(v.array(v.picklist(refusals)), v.maxLength(50)), []),
  program: makeLenientSchema(makeIntegerSchema(999_999_999)),
  source: makeLenientSchema(v.string()),
  campaign: makeLenientSchema(v.string()),
  lcp: makeLenientSchema(makeIntegerSchema(maxVisitMs)),
  inp: makeLenientSchema(makeIntegerSchema(maxVisitMs)),
  cls: makeLenientSchema(makeIntegerSchema(1_000_000)),
})

export type VisitReport = v.InferInput<typeof visitReportSchema>
