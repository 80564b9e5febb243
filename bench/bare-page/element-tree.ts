/** An element with its name, its attributes under React's names, and its children. */
export type ElementTree = readonly [
  string,
  Record<string, string>,
  readonly (ElementTree | string)[],
]

const piece = /<(\/)?([a-z]\w*)((?:\s+[\w-]+(?:="[^"]*")?)*)\s*(\/)?>|([^<]+)/gi
const attribute = /([\w-]+)(?:="([^"]*)")?/g

const reactNames: Record<string, string> = {
  class: 'className',
  for: 'htmlFor',
  tabindex: 'tabIndex',
  value: 'defaultValue',
}

/** Reads markup that React has written, in which every element has an end. */
export function elementTree(markup: string): ElementTree {
  const root: [string, Record<string, string>, (ElementTree | string)[]] = ['root', {}, []]
  const open = [root]
  for (const [, end, tag, attributes = '', isEmpty, text] of markup.matchAll(piece)) {
    const within = open.at(-1) ?? root
    if (text !== undefined) within[2].push(plain(text))
    if (end) open.pop()
    if (tag === undefined || end) continue
    const element: (typeof open)[number] = [tag, propsOf(attributes), []]
    within[2].push(element)
    if (!isEmpty) open.push(element)
  }
  const [element] = root[2]
  if (open.length !== 1 || root[2].length !== 1 || typeof element !== 'object') {
    throw new Error('this is no element that React has written')
  }
  return element
}

const propsOf = (attributes: string): Record<string, string> =>
  Object.fromEntries(
    [...attributes.matchAll(attribute)].map(([, name = '', value = '']) => [
      reactNames[name] ?? name,
      plain(value),
    ]),
  )

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }

const plain = (text: string): string =>
  text.replace(/&([\w#]+);/g, (whole, name) => entities[name] ?? whole)
