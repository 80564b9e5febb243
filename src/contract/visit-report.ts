import * as v from 'valibot'
import { areas } from '#domain/area.ts'
import { fields } from '#domain/enquiry/answers.ts'
import { type StepNumber, thankYouStep } from '#domain/enquiry/enquiry.ts'
import { renameFormerFields } from '#domain/enquiry/former-names.ts'
import { ruleNames } from '#domain/enquiry/rules.ts'
import { findDeviceClass } from '#domain/measuring/funnel.ts'
import { maxVisitMs, type VisitProgress, webVitalNames } from '#domain/measuring/visit.ts'

/** The maximum size of the body of `POST /api/events`, in bytes. */
export const maxReportBytes = 4096

const refusals: ReadonlySet<string> = new Set(
  fields.flatMap((field) => ruleNames.map((rule) => `${field} ${rule}`)),
)

const makeNumberSchema = (most: number) =>
  v.pipe(v.string(), v.regex(/^\d+(\.\d+)?$/), v.transform(Number), v.maxValue(most))

/** A time by the browser's clock, in epoch milliseconds. */
const timeSchema = v.pipe(makeNumberSchema(Number.MAX_SAFE_INTEGER), v.integer())

export const visitIdPattern = /^[\da-f]{8,50}$/

const headSchema = v.object({
  area: v.picklist(areas),
  width: makeNumberSchema(99_999),
  id: v.pipe(v.string(), v.regex(visitIdPattern)),
  beganAt: timeSchema,
})

/** One event in a report of a visit: see `record` in `src/site/enquiry/measure-visit.ts`. */
const noteSchema = v.object({
  at: timeSchema,
  /** The first letter of the browser event's type, such as `i` for `input`; empty for the start of the script. */
  type: v.picklist(['', 'f', 'i', 'v', 'e']),
  step: v.pipe(
    makeNumberSchema(thankYouStep),
    v.integer(),
    v.transform((step) => step as StepNumber),
  ),
  program: v.string(),
  isHidden: v.picklist(['0', '1']),
  field: v.string(),
  detail: v.array(v.string()),
})

type Note = v.InferOutput<typeof noteSchema>

/**
 * Parses the body of `POST /api/events`. The body's lines are the area, the width of the window, the attribution, the
 * visit's id and start, and then one line per event. Malformed events are dropped. Only the attribution is kept as
 * text.
 * @returns undefined for a malformed report, for a visit of more than a day, and for a visit that begins on the
 * thank-you screen, which the server has already measured without JavaScript
 */
export function parseVisitReport(body: string) {
  const [area, width, attribution = '', visit = '', ...lines] = renameFormerFields(body).split('\n')
  const [id, beganAt] = visit.split(',')
  const head = v.safeParse(headSchema, { area, width, id, beganAt })
  if (!head.success) return undefined
  const notes = lines.flatMap((line) => {
    const [at, type, step, program, isHidden, field, ...detail] = line.split(',')
    const note = { at, type, step, program, isHidden, field, detail }
    // Without `abortEarly`, checking a thousand malformed lines takes ten times as long.
    const read = v.safeParse(noteSchema, note, { abortEarly: true })
    return read.success ? [read.output] : []
  })
  const progress = toProgress(notes, head.output.beganAt)
  if (progress === undefined || notes[0]?.step === thankYouStep) return undefined
  return {
    id: head.output.id,
    area: head.output.area,
    device: findDeviceClass(head.output.width),
    program: findLast(notes, ({ program }) => (/^\d{1,9}$/.test(program) ? Number(program) : null)),
    attribution,
    progress,
  }
}

function toProgress(notes: readonly Note[], beganAt: number): VisitProgress | undefined {
  const last = notes.at(-1)
  if (last === undefined) return undefined
  const openMs = last.at - beganAt
  if (openMs < 0 || openMs > maxVisitMs) return undefined
  const shown = [0, 0, 0, 0, 0]
  const visibleMs = [0, 0, 0, 0, 0]
  notes.forEach(({ step, at }, index) => {
    const before = notes[index - 1]
    // After a reload, the events name the same step again, but the step counts once.
    if (step !== before?.step) shown[step] = (shown[step] ?? 0) + 1
    if (before?.isHidden === '0') {
      const ms = (visibleMs[before.step] ?? 0) + at - before.at
      visibleMs[before.step] = Math.min(Math.max(0, ms), maxVisitMs)
    }
  })
  const details = notes.map(({ detail }) => detail)
  return {
    openMs,
    shown,
    visibleMs,
    isStarted: notes.some(({ type }) => type === 'i'),
    step: last.step,
    field: findLast(notes, ({ field }) => fields.find((name) => name === field)),
    refused: [...new Set(details.flat())].filter((refusal) => refusals.has(refusal)),
    vitals: Object.fromEntries(details.flatMap(readVital)),
  }
}

function readVital([name, value = '']: readonly string[]) {
  const vital = webVitalNames.find((known) => known === name?.toLowerCase())
  const read = v.safeParse(makeNumberSchema(vital === 'cls' ? 1000 : maxVisitMs), value)
  if (vital === undefined || !read.success) return []
  return [[vital, Math.round(vital === 'cls' ? read.output * 1000 : read.output)]]
}

/** Returns the latest value that `read` finds in the notes; null if it finds none. */
const findLast = <Value>(notes: readonly Note[], read: (note: Note) => Value | null | undefined) =>
  notes.reduce<Value | null>((found, note) => read(note) ?? found, null)
