import * as v from 'valibot'
import { isMap, isNode, isScalar, LineCounter, type Node, parseDocument } from 'yaml'
import type { LineFault } from '#server/platform/csv-lines.ts'
import { findUnknownPlaceholders } from './placeholders.ts'

/** What a parser returns for a text. The value is undefined if the text has faults. */
export interface ParseResult<Value> {
  readonly value: Value | undefined
  readonly faults: readonly LineFault[]
}

type Path = readonly (string | number)[]

/**
 * Parses YAML and checks it with a schema. Leaves numbers and dates as texts.
 * @param schemaFor returns the schema; what it allows may depend on names in the file
 * @param before the number of lines above the text in its file
 */
export function parseYaml<Schema extends v.GenericSchema>(
  text: string,
  schemaFor: (raw: unknown) => Schema,
  before = 0,
): ParseResult<v.InferOutput<Schema>> {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { schema: 'failsafe', lineCounter, prettyErrors: false })
  const lineAt = (offset: number) => lineCounter.linePos(offset).line + before
  const broken = [...document.errors, ...document.warnings].map(({ pos, message }) => ({
    line: lineAt(pos[0]),
    message: `this is not YAML: ${message.replace(/\.?$/, '')}. Put a text with a colon or a brace in quotes, or below >-`,
  }))
  if (broken.length > 0) return { value: undefined, faults: broken }

  const raw = document.toJS({ maxAliasCount: 0 }) ?? {}
  const result = v.safeParse(schemaFor(raw), raw)
  if (result.success) return { value: result.output, faults: [] }
  const faults = result.issues.map((issue) => {
    const path = (issue.path ?? []).map(({ key }) => key as string | number)
    return {
      line: lineAt(findOffset(document.contents, path)),
      message: describeIssue(issue, path),
    }
  })
  return { value: undefined, faults }
}

function describeIssue(issue: v.BaseIssue<unknown>, path: Path): string {
  const name = path.findLast((key) => typeof key === 'string') ?? 'the file'
  if (issue.type !== 'strict_object') return `${name} ${issue.message}`
  if (issue.expected === 'never') return `${name} is unknown here`
  return issue.received === 'undefined'
    ? `${name} is missing`
    : `${name} needs its parts, each on its own line below it`
}

/** Returns the offset of the key or list entry at a path; if it is missing, the offset of its nearest parent. */
function findOffset(root: Node | null, path: Path): number {
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

/** Returns a text's length. A placeholder counts as 12 characters, about as many as its value has. */
const measureText = (text: string): number => text.replaceAll(/\{[a-z-]+\}/g, '123456789012').length

/**
 * Makes the schema of one line of a page.
 * @param max the number of characters that fit on a phone and beside the form
 * @param known the allowed placeholders; null if they cannot be checked, because the file that defines them has faults
 */
export const makeLineSchema = (max: number, known: readonly string[] | null = []) =>
  v.pipe(
    v.string('is not a text: put a text with a colon or a brace in quotes, or below >-'),
    v.transform((text) => text.replaceAll(/\s+/g, ' ').trim()),
    v.nonEmpty('is empty'),
    v.check(
      (text) => !/<[a-z/!?]/i.test(text),
      'has HTML in it, which visitors would see as text: remove it',
    ),
    v.check(
      (text) => measureText(text) <= max,
      ({ input }) => `is ${measureText(input)} characters long: there is room for ${max}`,
    ),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed || known === null) return
      for (const message of findUnknownPlaceholders(dataset.value, known)) addIssue({ message })
    }),
  )

export const makeListSchema = <Schema extends v.GenericSchema>(
  item: Schema,
  min: number,
  max: number,
) =>
  v.pipe(
    v.array(item, 'is not a list: begin each line of it with a dash'),
    v.minLength(min, ({ input }) => `has ${input.length}: give at least ${min}`),
    v.maxLength(max, ({ input }) => `has ${input.length}: there is room for ${max}`),
  )
