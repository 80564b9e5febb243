import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import { legalPaths } from '#content/site-texts.ts'
import { type Area, areaPath, areas } from '#domain/area.ts'
import { areaFileName, legalFileName, siteFileName } from './content-file-names.ts'

/** Returns the area whose page shows the photograph with this name: see site-pictures/README.md. */
export function findPhotographArea(name: string): Area | undefined {
  const [stem, type = '', ...more] = name.toLowerCase().split('.')
  const isPicture = more.length === 0 && ['jpg', 'jpeg', 'png', 'webp', 'avif'].includes(type)
  return isPicture ? areas.find((area) => area === stem) : undefined
}

/** The files of `content/`, each with what shows its texts. */
const pageOfFile: Readonly<Record<string, string>> = {
  [siteFileName]: 'all landing pages',
  ...Object.fromEntries(areas.map((area) => [areaFileName(area), areaPath(area)])),
  ...Object.fromEntries(legalPaths.map((path) => [legalFileName(path), path])),
}

const pageOfPicture = Object.fromEntries(areas.map((area) => [`${area}.jpg`, areaPath(area)]))

/** Describes the files of `content/` that no page shows, such as `general.yml`. */
export const findStrayTexts = (folder: string): readonly string[] =>
  listVisible(folder)
    .filter((name) => !(name in pageOfFile) && name !== readLogoName(folder))
    .map((name) => describeStray('content', name, pageOfFile))

/** Describes the files of `site-pictures/` that no page shows. */
export const findStrayPictures = (folder: string): readonly string[] =>
  listVisible(folder)
    .filter((name) => findPhotographArea(name) === undefined)
    .map((name) => describeStray('site-pictures', name, pageOfPicture))

/** Lists a folder without hidden files, which editors and file managers leave behind. */
const listVisible = (folder: string): readonly string[] =>
  statSync(folder, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(folder)
        .filter((name) => !name.startsWith('.') && name !== 'README.md')
        .sort()
    : []

function readLogoName(folder: string): string | undefined {
  try {
    return basename(String(parse(readFileSync(join(folder, siteFileName), 'utf8')).logo.file))
  } catch {
    return undefined
  }
}

function describeStray(folder: string, name: string, pages: Readonly<Record<string, string>>) {
  const closest = Object.keys(pages).reduce((best, other) =>
    measureDifference(name, other) < measureDifference(name, best) ? other : best,
  )
  return `${folder}/${name} belongs to no page. The closest name is ${closest} (${pages[closest]})`
}

/** Returns the share of letters that differ, by the Levenshtein distance: 0 for the same name in any case. */
function measureDifference(name: string, other: string): number {
  const letters = [...other.toLowerCase()]
  let row = [0, ...letters.map((_, index) => index + 1)]
  for (const [line, letter] of [...name.toLowerCase()].entries()) {
    const next = [line + 1]
    for (const [index, wanted] of letters.entries()) {
      const replaced = (row[index] ?? 0) + (letter === wanted ? 0 : 1)
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1))
    }
    row = next
  }
  return (row.at(-1) ?? 0) / Math.max(name.length, other.length)
}
