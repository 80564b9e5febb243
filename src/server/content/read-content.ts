import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type LegalPath, legalPaths, type SiteTexts } from '#content/site-texts.ts'
import { type Area, areas } from '#domain/area.ts'
import { makeAreaFileSchema, makeSiteFileSchema } from './content-file-schemas.ts'
import { parseLegalPage } from './parse-legal-page.ts'
import { type ParseResult, parseYaml } from './parse-yaml.ts'
import type { ContentMode } from './school-facts-schema.ts'

/** The path of the operator's texts within the project's folder. */
export const contentFolder = 'content'

export const siteFileName = 'site.yaml'
export const areaFileName = (area: Area): string => `${area}.yaml`
export const legalFileName = (path: LegalPath): string => `${path.split('/').at(-1)}.md`

/** Returns the mode even if other settings have faults, so that all faults are listed at once. */
export const findContentMode = (env = process.env): ContentMode =>
  env.APP_MODE?.trim() === 'production' ? 'production' : 'demo'

type ContentResult =
  | { readonly ok: true; readonly texts: SiteTexts }
  /** All faults of the content, each with its file and line. */
  | { readonly ok: false; readonly faults: readonly string[] }

/**
 * Reads and checks the operator's texts and colors (content/README.md). Leaves placeholders as they are.
 * @param mode in `production`, an invented fact about the school is a fault (reading 6)
 */
export function readContent(folder: string, mode: ContentMode): ContentResult {
  const faults: string[] = []
  const read = <Value>(file: string, parse: (text: string) => ParseResult<Value>) => {
    const text = readText(folder, file)
    const { value, faults: found } =
      typeof text === 'string' ? parse(text) : { value: undefined, faults: [text] }
    for (const { line, message } of found.toSorted((one, other) => one.line - other.line)) {
      faults.push(`content/${file}${line === 0 ? '' : `, line ${line}`}: ${message}`)
    }
    return value
  }
  const byName = <Name extends string, Value>(
    all: readonly Name[],
    read: (name: Name) => Value | undefined,
  ) => Object.fromEntries(all.map((name) => [name, read(name)])) as Record<Name, Value>

  const site = read(siteFileName, (text) =>
    parseYaml(text, (raw) => makeSiteFileSchema(folder, raw, mode)),
  )
  const texts = {
    areas: byName(areas, (area) =>
      read(areaFileName(area), (text) =>
        parseYaml(text, (raw) => makeAreaFileSchema(site, raw, mode)),
      ),
    ),
    legal: byName(legalPaths, (path) =>
      read(legalFileName(path), (text) => parseLegalPage(text, path)),
    ),
  }
  return site && faults.length === 0
    ? { ok: true, texts: { ...texts, shared: site.shared } }
    : { ok: false, faults }
}

/** Returns a file's text, or a fault. The line 0 of a fault means the whole file. */
function readText(folder: string, file: string) {
  let text: string
  try {
    text = readFileSync(join(folder, file), 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const message = code === 'ENOENT' ? 'the file is missing' : `the file cannot be read (${code})`
    return { line: 0, message }
  }
  const normalized = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n')
  const [before = ''] = normalized.split('\uFFFD', 1)
  if (before.length === normalized.length) return normalized
  const message = 'a character is not UTF-8: save the file as UTF-8'
  return { line: before.split('\n').length, message }
}
