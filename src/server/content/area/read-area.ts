import { fillIn } from '#content/fill-in.ts'
import type { AreaWords, Claim } from '#content/site-words.ts'
import type { Claims } from '../claims.ts'
import { nameplates, strangePlaceholders, textsIn } from '../placeholders.ts'
import { type LineFault, readYaml } from '../read-yaml.ts'
import { areaColors, colorFaults } from './area-colors.ts'
import { type AreaFile, areaFile } from './area-file.ts'

export interface ReadPart<Value> {
  /** Undefined where it could not be made; then there are faults. */
  readonly value: Value | undefined
  readonly faults: readonly LineFault[]
}

/**
 * Reads one area's file.
 * @param shared the claims of all pages; undefined where their own file is at fault
 */
export function readArea(text: string, shared: Claims | undefined): ReadPart<AreaWords> {
  const read = readYaml(text, areaFile)
  if (read.value === undefined) return read
  const { value: file, lineOf } = read
  const claims: Claims = { ...shared, ...file.claims }
  const colors = areaColors(file.colors)
  const faults: LineFault[] = []
  for (const { path, text } of textsIn(file)) {
    for (const message of strangePlaceholders(
      text,
      knownAt(String(path[0]), Object.keys(claims)),
    )) {
      // One of theirs may be meant.
      if (shared !== undefined) faults.push({ line: lineOf(path), message })
    }
  }
  for (const [index, name] of file.figures.entries()) {
    if (shared === undefined || name in claims) continue
    const there = Object.keys(claims).join(', ')
    faults.push({
      line: lineOf(['figures', index]),
      message: `there is no claim ${name}: there are ${there}`,
    })
  }
  for (const { key, message } of colorFaults(colors, file.colors)) {
    faults.push({ line: lineOf(['colors', key]), message })
  }
  return { value: toWords(file, claims, colors), faults }
}

/** The pictures for sharing have some of the words, and are made where nobody knows the names. */
function knownAt(key: string, claims: readonly string[]): readonly string[] {
  if (key === 'reasons' || key === 'lead') return [...nameplates, ...claims]
  return []
}

function toWords(file: AreaFile, claims: Claims, colors: AreaWords['colors']): AreaWords {
  const texts = Object.fromEntries(Object.entries(claims).map(([name, { text }]) => [name, text]))
  const { name, title, headline, lead, picture } = file
  return {
    name,
    title,
    headline,
    lead: fillIn(lead, texts),
    picture,
    colors,
    figures: file.figures
      .map((name) => claims[name])
      .filter((claim): claim is Claim => claim !== undefined),
    reasons: file.reasons.map((reason) => ({ ...reason, text: fillIn(reason.text, texts) })),
  }
}
