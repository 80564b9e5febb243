import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import subset from 'subset-font'
import type { SiteTexts } from '#content/site-texts.ts'

const variable =
  'node_modules/@fontsource-variable/source-serif-4/files/source-serif-4-latin-opsz-normal.woff2'

/** The characters for headings: ASCII, typographic marks, and Spanish letters, which many U.S. names have. */
const ascii = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index))
export const displayCharacters = `${ascii}‘’“”–—…áéíñóúüÁÉÍÑÓÚÜ¿¡`

interface SubsetOptions {
  /** The programs that draw pictures need `truetype`, because they cannot read WOFF2. */
  readonly format?: 'woff2' | 'truetype'
  /** Text that needs further letters beside {@link displayCharacters}; a letter from another font would stand out. */
  readonly text?: string
}

/**
 * Subsets the pages' display font: Source Serif 4, semibold, at an optical size of 40 pixels. The subset has 11.7 KB
 * instead of the 20.2 KB of all features and Western letters. The file keeps its copyright and the address of its
 * license (OFL 1.1).
 */
export const subsetDisplayFont = async (
  root: string,
  { format = 'woff2', text = '' }: SubsetOptions = {},
): Promise<Uint8Array> =>
  subset(await readFile(join(root, variable)), displayCharacters + text, {
    targetFormat: format,
    variationAxes: { wght: 600, opsz: 40 },
    keepFeatures: ['kern', 'liga'],
    noHinting: true,
    preserveNameIds: [14],
  })

/** All texts of the operator that pages show in the display font. */
export const joinHeadings = ({ areas, shared, legal }: SiteTexts): string =>
  [
    ...Object.values(areas).flatMap(({ name, headline, reasons, quote }) => [
      name,
      headline,
      quote?.text ?? '',
      ...reasons.flatMap(({ figure, heading }) => [figure?.figure ?? '', heading]),
    ]),
    ...Object.values(shared.headings),
    ...Object.values(legal).flatMap(({ title, sections }) => [
      title,
      ...sections.map(({ heading }) => heading),
    ]),
  ].join('')
