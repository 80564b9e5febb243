/** A replacement of the source's characters from `start` to before `end`. */
export interface Mutation {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A node of a syntax tree as Vite's parser returns it (ESTree). */
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [property: string]: unknown
}

/** What each operator, name of a function or word becomes. */
const operators: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
}
const names: Readonly<Record<string, string>> = {
  max: 'min',
  min: 'max',
  some: 'every',
  every: 'some',
}
const words: Readonly<Record<string, string>> = { asc: 'desc', desc: 'asc' }
/** Calls in a chain whose removal changes what a query or a list contains. */
const limiting = new Set([
  'where',
  'andWhere',
  'filter',
  'limit',
  'orderBy',
  'slice',
  'toSorted',
  'forUpdate',
  'skipLocked',
])

/**
 * All places to break, one change each: conditions become constant, operators their neighbors, numbers one more, and
 * statements and limiting calls disappear. Types stay as they are.
 */
export function findMutations(tree: unknown, code: string): readonly Mutation[] {
  const found: Mutation[] = []
  visit(tree, (node) => found.push(...mutationsOf(node, code)))
  return found
}

function visit(value: unknown, act: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, act)
  if (!isNode(value) || value.type.startsWith('TS') || value.type === 'ImportDeclaration') {
    const inner = isNode(value) ? value.expression : undefined
    // `x as Type` and `x!` contain an expression.
    if (isNode(inner)) visit(inner, act)
    return
  }
  act(value)
  for (const child of Object.values(value)) visit(child, act)
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

function mutationsOf(node: Node, code: string): readonly Mutation[] {
  switch (node.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
    case 'WhileStatement':
      return constants(node)
    case 'BinaryExpression':
    case 'LogicalExpression':
      return changeOperator(node, code)
    case 'Literal':
      return changeLiteral(node)
    case 'ExpressionStatement':
      return removesEffect(node) ? [{ start: node.start, end: node.end, text: '' }] : []
    case 'CallExpression':
      return changeCall(node)
    default:
      return []
  }
}

/** An endless loop would only time out, so that a loop's condition becomes false alone. */
function constants({ type, test }: Node): readonly Mutation[] {
  if (!isNode(test)) return []
  const values = type === 'WhileStatement' ? ['false'] : ['true', 'false']
  return values.map((text) => ({ start: test.start, end: test.end, text }))
}

function changeOperator({ left, right, operator }: Node, code: string): readonly Mutation[] {
  const text = operators[String(operator)]
  if (text === undefined || !isNode(left) || !isNode(right)) return []
  const start = code.indexOf(String(operator), left.end)
  return [{ start, end: start + String(operator).length, text }]
}

function changeLiteral({ start, end, value }: Node): readonly Mutation[] {
  if (typeof value === 'boolean') return [{ start, end, text: String(!value) }]
  if (typeof value === 'number') return [{ start, end, text: String(value + 1) }]
  const text = typeof value === 'string' && Object.hasOwn(words, value) ? words[value] : undefined
  return text === undefined ? [] : [{ start, end, text: `'${text}'` }]
}

function removesEffect({ expression }: Node): boolean {
  const inner =
    isNode(expression) && expression.type === 'AwaitExpression' ? expression.argument : expression
  return (
    isNode(inner) &&
    ['CallExpression', 'AssignmentExpression', 'UpdateExpression'].includes(inner.type)
  )
}

function changeCall({ callee, end }: Node): readonly Mutation[] {
  if (!isNode(callee) || callee.type !== 'MemberExpression') return []
  const { object, property } = callee
  if (!isNode(object) || !isNode(property)) return []
  const name = String(property.name)
  const text = Object.hasOwn(names, name) ? names[name] : undefined
  if (text !== undefined) return [{ start: property.start, end: property.end, text }]
  return limiting.has(name) ? [{ start: object.end, end, text: '' }] : []
}
