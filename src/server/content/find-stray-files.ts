import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import { legalPaths } from '#content/site-texts.ts'
import { type Area, areas } from '#domain/area.ts'
import { areaFileName, legalFileName, siteFileName } from './read-content.ts'

/** Returns the area whose page shows the photograph with this name: see site-pictures/README.md. */
export function findPhotographArea(name: string): Area | undefined {
  const [stem, type = '', ...more] = name.toLowerCase().split('.')
  const isPicture = more.length === 0 && ['jpg', 'jpeg', 'png', 'webp', 'avif'].includes(type)
  return isPicture ? areas.find((area) => area === stem) : undefined
}

const contentFiles = [siteFileName, ...areas.map(areaFileName), ...legalPaths.map(legalFileName)]
const pictureFiles = areas.map((area) => `${area}.jpg`)

/** Describes the files of `content/` that no page shows, such as `general.yml`. */
export const findStrayTexts = (folder: string): readonly string[] =>
  listVisible(folder)
    .filter((name) => !contentFiles.includes(name) && !readLogoNames(folder).includes(name))
    .map((name) => describeStray(`content/${name}`, contentFiles))

/** Describes the files of `site-pictures/` that no page shows. */
export const findStrayPictures = (folder: string): readonly string[] =>
  listVisible(folder)
    .filter((name) => findPhotographArea(name) === undefined)
    .map((name) => describeStray(`site-pictures/${name}`, pictureFiles))

/** Lists a folder without hidden files, which editors and file managers leave behind. */
const listVisible = (folder: string): readonly string[] =>
  statSync(folder, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(folder)
        .filter((name) => !name.startsWith('.') && name !== 'README.md')
        .sort()
    : []

function readLogoNames(folder: string): readonly string[] {
  try {
    const site = parse(readFileSync(join(folder, siteFileName), 'utf8'))
    return [site.logo?.file, site.accreditor?.logo].map((name) => basename(String(name)))
  } catch {
    return []
  }
}

const describeStray = (path: string, known: readonly string[]): string =>
  `${path} belongs to no page. Pages read only ${known.join(', ')}`
