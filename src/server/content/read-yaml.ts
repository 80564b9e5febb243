import * as v from 'valibot'
import { isMap, isNode, isScalar, LineCounter, type Node, parseDocument } from 'yaml'
import { placeholdersIn } from '#content/fill-in.ts'
import { unknownPlaceholders } from './placeholders.ts'

export interface LineFault {
  readonly line: number
  readonly message: string
}

/** A part of a file; its value is undefined if the part has faults. */
export interface ReadPart<Value> {
  readonly value: Value | undefined
  readonly faults: readonly LineFault[]
}

type Path = readonly (string | number)[]

/** The usual remedy for a line that is not valid YAML. */
const quoted = 'A text with a colon or a brace in it goes in quotes, or below >-'

/** The remedies for errors that quotes would not solve. */
const remedies: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'this key appears a second time: remove one of the two',
  TAB_AS_INDENT: 'this line begins with a tab: use spaces, as many as the lines beside it have',
}

/** Explains to an operator who left a part out why it is needed. */
const reasons: Readonly<Record<string, string>> = {
  source: ': who says so, and where',
  checked: ': the day on which you looked at the source, like 2026-11-21',
}

/**
 * Reads YAML with text values only: numbers and dates are texts too.
 *
 * @param schemaFor returns the schema, which may depend on names in the file
 * @param before the number of lines above the text in its file
 */
export function readYaml<Schema extends v.GenericSchema>(
  text: string,
  schemaFor: (raw: unknown) => Schema,
  before = 0,
): ReadPart<v.InferOutput<Schema>> {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { schema: 'failsafe', lineCounter, prettyErrors: false })
  const lineAt = (offset: number) => lineCounter.linePos(offset).line + before
  const broken = [...document.errors, ...document.warnings].map(({ pos, code, message }) => ({
    line: lineAt(pos[0]),
    message: remedies[code] ?? `this is not YAML: ${message.replace(/\.?$/, '')}. ${quoted}`,
  }))
  if (broken.length > 0) return { value: undefined, faults: broken }

  const raw = document.toJS({ maxAliasCount: 0 }) ?? {}
  const result = v.safeParse(schemaFor(raw), raw)
  if (result.success) return { value: result.output, faults: [] }
  const faults = result.issues.map((issue) => {
    const path = (issue.path ?? []).map(({ key }) => key as string | number)
    return { line: lineAt(offsetOf(document.contents, path)), message: describeIssue(issue, path) }
  })
  return { value: undefined, faults }
}

function describeIssue(issue: v.BaseIssue<unknown>, path: Path): string {
  const name = path.findLast((key) => typeof key === 'string') ?? 'the file'
  if (issue.type === 'strict_object') {
    if (issue.expected === 'never') return `${name} is unknown here`
    if (issue.received === 'undefined') return `${name} is missing${reasons[name] ?? ''}`
  }
  if (issue.kind === 'schema') {
    if (issue.type === 'string') {
      return `${name} is not a text: one that begins with a brace or has a colon in it goes in quotes, or below >-`
    }
    if (issue.type === 'array') return `${name} is not a list: begin each line of it with a dash`
    if (issue.type === 'strict_object' || issue.type === 'record') {
      return `${name} has parts, each on a line of its own below it`
    }
  }
  return `${name} ${issue.message}`
}

/** Returns the offset of the value at a path; if it is missing, of its parent's key or list entry. */
function offsetOf(root: Node | null, path: Path): number {
  let node: unknown = root
  let offset = 0
  for (const key of path) {
    const pair = isMap(node)
      ? node.items.find(({ key: found }) => isScalar(found) && found.value === key)
      : undefined
    const entry = !isMap(node) && isNode(node) && 'get' in node ? node.get(key, true) : undefined
    const start = pair?.key ?? entry
    if (!isNode(start)) return offset
    offset = start.range?.[0] ?? offset
    node = pair ? pair.value : entry
  }
  return offset
}

/** The length that a placeholder counts as, because names and figures are about as long. */
const placeholderLength = 12

const lengthOf = (text: string): number =>
  placeholdersIn(text).reduce(
    (length, name) => length - name.length - 2 + placeholderLength,
    text.length,
  )

/**
 * One line of a page.
 *
 * @param max the maximum number of characters that fit, on a phone and beside the form
 * @param known the allowed placeholders; null if they are unknown because another file has faults
 */
export const line = (max: number, known: readonly string[] | null = []) =>
  v.pipe(
    v.string(),
    v.transform((text) => text.replaceAll(/\s+/g, ' ').trim()),
    v.nonEmpty('is empty'),
    v.check(
      (text) => !/<[a-z/!?]/i.test(text),
      'has HTML in it, which visitors would see as it stands: remove it',
    ),
    v.check(
      (text) => lengthOf(text) <= max,
      ({ input }) => `is ${lengthOf(input)} characters long: there is room for ${max}`,
    ),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed || known === null) return
      for (const message of unknownPlaceholders(dataset.value, known)) addIssue({ message })
    }),
  )

export const listOf = <Schema extends v.GenericSchema>(item: Schema, min: number, max: number) =>
  v.pipe(
    v.array(item),
    v.minLength(min, ({ input }) => `has ${input.length}: give at least ${min}`),
    v.maxLength(max, ({ input }) => `has ${input.length}: there is room for ${max}`),
  )
