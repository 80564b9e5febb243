import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import {
  type AreaWords,
  type LegalPage,
  type LegalPath,
  type Logo,
  legalPaths,
  type SiteWords,
} from '#content/site-words.ts'
import { type Area, areas } from '#domain/area.ts'
import { type ReadPart, readArea } from './read-area.ts'
import { readLegal } from './read-legal.ts'
import { readLogo, readSite } from './read-site.ts'

/** The faults of one of the operator's files. */
export interface ContentFault {
  /** Within `content/`. */
  readonly file: string
  /** From 1 on; undefined where it is the file as a whole. */
  readonly line?: number | undefined
  readonly message: string
}

/** The fault as operators read it: at a start, in the log, and from `check`. */
export const describeFault = ({ file, line, message }: ContentFault): string =>
  `content/${file}${line === undefined ? '' : `, line ${line}`}: ${message}`

export type ReadContent =
  | { readonly ok: true; readonly words: SiteWords }
  /** Every fault at once, with file and line. */
  | { readonly ok: false; readonly faults: readonly string[] }

const siteName = 'site.yaml'
const areaName = (area: Area): string => `${area}.yaml`
const legalName = (path: LegalPath): string => `${path.split('/').at(-1)}.md`

const names = [siteName, ...areas.map(areaName), ...legalPaths.map(legalName)]

/** Reads and checks the operator's words and colors: `content/README.md`. Their names are filled in by `name-words.ts`. */
export function readContent(folder: string): ReadContent {
  const faults: ContentFault[] = strangers(folder)
  const read = <Value>(
    file: string,
    parse: (text: string) => ReadPart<Value>,
  ): Value | undefined => {
    const text = readText(folder, file)
    if (typeof text !== 'string') {
      faults.push({ file, ...text })
      return undefined
    }
    const { value, faults: found } = parse(text)
    const inOrder = found.toSorted((one, other) => one.line - other.line)
    faults.push(...inOrder.map((fault) => ({ file, ...fault })))
    return value
  }

  let site: ReturnType<typeof readSite> | undefined
  const shared = read(siteName, (text) => (site = readSite(text)))
  let logo: Logo | undefined
  if (site?.logo !== undefined) {
    const { file, hasName, line } = site.logo
    const found = readLogo(folder, file, hasName)
    if ('value' in found) logo = found.value
    else faults.push({ file: siteName, line, message: found.fault })
  }
  const areaWords: Partial<Record<Area, AreaWords>> = {}
  for (const area of areas) {
    areaWords[area] = read(areaName(area), (text) => readArea(text, site?.claims))
  }
  const legal: Partial<Record<LegalPath, LegalPage>> = {}
  for (const path of legalPaths) {
    legal[path] = read(legalName(path), (text) => readLegal(text, path))
  }
  if (faults.length > 0 || shared === undefined)
    return { ok: false, faults: faults.map(describeFault) }
  return {
    ok: true,
    // A missing one is a fault.
    words: { areas: areaWords, shared: { ...shared, logo }, legal } as SiteWords,
  }
}

/**
 * An unknown key is probably misspelt. This excludes instructions, logos and editors' leftovers.
 */
function strangers(folder: string): ContentFault[] {
  let found: readonly string[]
  try {
    found = readdirSync(folder)
  } catch {
    return []
  }
  return found
    .filter((file) => ['.yaml', '.yml', '.md'].includes(extname(file)))
    .filter((file) => !file.startsWith('.') && file !== 'README.md' && !names.includes(file))
    .map((file) => ({ file, message: `nothing is read from it: there are ${names.join(', ')}` }))
}

function readText(folder: string, file: string): string | Omit<ContentFault, 'file'> {
  let text: string
  try {
    text = readFileSync(join(folder, file), 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return {
      message: code === 'ENOENT' ? 'the file is missing' : `the file cannot be read (${code})`,
    }
  }
  const tidy = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n')
  const before = tidy.split('\uFFFD', 1)[0] ?? ''
  if (before.length === tidy.length) return tidy
  const line = before.split('\n').length
  return { line, message: 'a character is not UTF-8: save the file as UTF-8' }
}
