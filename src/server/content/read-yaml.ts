import * as v from 'valibot'
import { isMap, isNode, isScalar, LineCounter, type Node, parseDocument } from 'yaml'

export interface LineFault {
  readonly line: number
  readonly message: string
}

export type ReadYaml<Value> =
  | { readonly value: Value; readonly lineOf: LineOf; readonly faults: readonly LineFault[] }
  | { readonly value: undefined; readonly faults: readonly LineFault[] }

/** What most lines that are no YAML want. */
const quoted = 'A text with a colon or a brace in it goes in quotes, or below >-'

/** Where quotes would mend nothing. */
const remedies: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'this key stands here a second time: take one of the two out',
  TAB_AS_INDENT:
    'this line begins with a tab: begin it with spaces, as many as the lines beside it have',
}

/** Where the value at a path stands; where there is none, what should have it. */
export type LineOf = (path: readonly (string | number)[]) => number

/** Why a part has to be there, for who left it out. */
const reasons: Readonly<Record<string, string>> = {
  source: ': who says so, and where',
  checked: ': the day on which you looked at the source, like 2026-11-21',
  id: ': an address for links, like cookies',
}

/**
 * Reads YAML whose values are all texts: a number or a date is one, too.
 * @param before how many lines of the file stand above it
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
