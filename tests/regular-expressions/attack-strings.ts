import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'

export interface Attack {
  readonly prefix: string
  /** The part that is repeated. */
  readonly pump: string
  readonly suffix: string
}

/** Characters that people and machines send; the first one that a class matches is its sample. */
const probes = Array.from(
  'a1 -._/A#,:;=%"\'<>()[]{}@&\té½bcdefghijklmnopqrstuvwxyz023456789\u200d葛\u0000\ud800',
)

/** Ends that make a match fail. */
const suffixes = ['', '\u0000', '\n\u0000']

/** How many of the shortest parts are repeated, and how many are combined in pairs. */
const mostParts = 16
const mostPaired = 6

/**
 * Texts that make a pattern try as much as possible. Each part of the pattern is repeated, alone and in pairs, after
 * text that brings the match to each of its repetitions.
 */
export function attacksOn(pattern: string, flags: string): readonly Attack[] {
  const tree = new RegExpParser().parsePattern(pattern, 0, pattern.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  })
  const sample = makeSample(flags)
  const parts = new Set<string>()
  const prefixes = new Set([''])
  const add = (node: Parameters<typeof sample>[0]) => parts.add(sample(node))
  visitRegExpAST(tree, {
    onQuantifierEnter: (node) => {
      add(node.element)
      const before = textBefore(node, sample)
      parts.add(before)
      prefixes.add(before)
    },
    onAlternativeEnter: add,
    onCharacterClassEnter: add,
    onCharacterSetEnter: add,
    onCharacterEnter: add,
  })
  parts.delete('')
  const byLength = [...parts].toSorted((a, b) => a.length - b.length)
  const short = byLength.slice(0, mostPaired)
  const pumps = new Set([
    ...byLength.slice(0, mostParts),
    ...byLength.slice(-mostParts),
    ...short.flatMap((one) => short.map((two) => one + two)),
  ])
  return [...prefixes].flatMap((prefix) =>
    [...pumps].flatMap((pump) => suffixes.map((suffix) => ({ prefix, pump, suffix }))),
  )
}

type Sample = (node: AST.Node) => string

/** Makes a short text that the node matches, and variants without its optional parts. */
function makeSample(flags: string): Sample {
  const unicode = flags.includes('v') ? 'v' : 'u'
  const takes = (raw: string) => {
    const one = new RegExp(
      `^${raw}$`,
      flags.replace(/[gymsuv]/g, '') + (/[uv]/.test(flags) ? unicode : ''),
    )
    return probes.find((probe) => one.test(probe)) ?? ''
  }
  const sample: Sample = (node) => {
    switch (node.type) {
      case 'Character':
        return String.fromCodePoint(node.value)
      case 'CharacterClass':
      case 'CharacterSet':
      case 'ExpressionCharacterClass':
        return takes(node.raw)
      case 'Quantifier':
        return sample(node.element).repeat(Math.max(1, Math.min(node.min, 100)))
      case 'Pattern':
      case 'Group':
      case 'CapturingGroup':
        return node.alternatives[0] ? sample(node.alternatives[0]) : ''
      case 'Alternative':
        return node.elements.map(sample).join('')
      default:
        return ''
    }
  }
  return sample
}

/** A text that the pattern matches before it reaches the node. */
function textBefore(node: AST.Node, sample: Sample): string {
  const { parent } = node
  if (parent === null) return ''
  const before =
    parent.type === 'Alternative'
      ? parent.elements.slice(0, parent.elements.indexOf(node as AST.Element))
      : []
  return textBefore(parent, sample) + before.map(sample).join('')
}
