import * as v from 'valibot'
import { isMap, isNode, isScalar, LineCounter, type Node, parseDocument } from 'yaml'
import { placeholdersIn } from '#content/fill-in.ts'

export interface LineFault {
  readonly line: number
  readonly message: string
}

export type ReadYaml<Value> =
  | { readonly value: Value; readonly lineOf: LineOf; readonly faults: readonly LineFault[] }
  | { readonly value: undefined; readonly faults: readonly LineFault[] }

/** The usual repair of a line that is not valid YAML. */
const quoted = 'A text with a colon or a brace in it goes in quotes, or below >-'

/** If quotes would not help. */
const remedies: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'this key stands here a second time: take one of the two out',
  TAB_AS_INDENT:
    'this line begins with a tab: begin it with spaces, as many as the lines beside it have',
}

/** The position of the value at a path, or of the parent that lacks it. */
export type LineOf = (path: readonly (string | number)[]) => number

/** Why a part has to be there, for who left it out. */
const reasons: Readonly<Record<string, string>> = {
  source: ': who says so, and where',
  checked: ': the day on which you looked at the source, like 2026-11-21',
  id: ': an address for links, like cookies',
}

/**
 * Reads YAML with text values only: numbers and dates are texts too.
 * @param before the number of the file's lines above it
 */
export function readYaml<Schema extends v.GenericSchema>(
  text: string,
  schema: Schema,
  before = 0,
): ReadYaml<v.InferOutput<Schema>> {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { schema: 'failsafe', lineCounter, prettyErrors: false })
  const lineAt = (offset: number) => lineCounter.linePos(offset).line + before
  const broken = [...document.errors, ...document.warnings].map(({ pos, code, message }) => ({
    line: lineAt(pos[0]),
    message: remedies[code] ?? `this is no YAML: ${message.replace(/\.?$/, '')}. ${quoted}`,
  }))
  if (broken.length > 0) return { value: undefined, faults: broken }

  const lineOf: LineOf = (path) => {
    for (let length = path.length; length > 0; length -= 1) {
      const offset = keyAt(document.contents, path.slice(0, length))
      if (offset !== undefined) return lineAt(offset)
    }
    return before + 1
  }
  const result = v.safeParse(schema, document.toJS({ maxAliasCount: 0 }) ?? {})
  if (result.success) return { value: result.output, lineOf, faults: [] }
  const faults = result.issues.map((issue) => {
    const path = (issue.path ?? []).map(({ key }) => key as string | number)
    return { line: lineOf(path), message: inWords(issue, path) }
  })
  return { value: undefined, faults }
}

function inWords(issue: v.BaseIssue<unknown>, path: readonly (string | number)[]): string {
  const name = path.findLast((key) => typeof key === 'string') ?? 'the file'
  if (issue.type === 'strict_object') {
    if (issue.expected === 'never') return `${name} is unknown here`
    if (issue.received === 'undefined') return `${name} is missing${reasons[name] ?? ''}`
  }
  if (issue.kind === 'schema') {
    if (issue.type === 'string') {
      return `${name} is no text: one that begins with a brace or has a colon in it goes in quotes, or below >-`
    }
    if (issue.type === 'array') return `${name} is no list: begin each line of it with a dash`
    if (issue.type === 'strict_object' || issue.type === 'record') {
      return `${name} has parts, each on a line of its own below it`
    }
  }
  return `${name} ${issue.message}`
}

/** Where the last key of the path, or the entry of a list, begins. */
function keyAt(root: Node | null, path: readonly (string | number)[]): number | undefined {
  let node: unknown = root
  let offset: number | undefined
  for (const key of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key: found }) => isScalar(found) && found.value === key)
      if (pair === undefined) return undefined
      offset = isNode(pair.key) ? pair.key.range?.[0] : undefined
      node = pair.value
    } else {
      node = isNode(node) && 'get' in node ? node.get(key as number, true) : undefined
      offset = isNode(node) ? node.range?.[0] : undefined
    }
  }
  return offset
}

/**
 * The length assumed for a placeholder when room is measured: names and figures are about as long.
 */
const placeholderLength = 12

const lengthOf = (text: string): number =>
  placeholdersIn(text).reduce(
    (length, name) => length - name.length - 2 + placeholderLength,
    text.length,
  )

/**
 * One line of a page.
 * @param most how many characters its place has room for, on a phone and beside the form
 */
export const line = (most: number) =>
  v.pipe(
    v.string(),
    v.transform((text) => text.replaceAll(/\s+/g, ' ').trim()),
    v.nonEmpty('is empty'),
    v.check(
      (text) => !/<[a-z/!?]/i.test(text),
      'has HTML in it, which readers would see as it stands: take it out',
    ),
    v.check(
      (text) => lengthOf(text) <= most,
      ({ input }) => `is ${lengthOf(input)} characters long: there is room for ${most}`,
    ),
  )

/** Several of them. */
export const listOf = <Schema extends v.GenericSchema>(item: Schema, least: number, most: number) =>
  v.pipe(
    v.array(item),
    v.minLength(least, ({ input }) => `has ${input.length}: there are at least ${least}`),
    v.maxLength(most, ({ input }) => `has ${input.length}: there is room for ${most}`),
  )

/** YYYY-MM-DD. */
export const day = v.pipe(
  v.string(),
  v.check(
    (text) => /^\d{4}-\d\d-\d\d$/.test(text) && isDay(text),
    'is no day: write it like 2026-11-21',
  ),
)

/** A month has no 31st that Date would not carry over. */
function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

export const color = v.pipe(
  v.string(),
  v.transform((text) => text.toLowerCase()),
  v.regex(
    /^#[\da-f]{6}$/,
    "is no color: write it like '#1d4f91', in quotes, as YAML takes a # without them for a comment",
  ),
)
