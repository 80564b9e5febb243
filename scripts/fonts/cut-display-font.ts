import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import subset from 'subset-font'
import type { SiteWords } from '#content/site-words.ts'

const variable =
  'node_modules/@fontsource-variable/source-serif-4/files/source-serif-4-latin-opsz-normal.woff2'

/** What headings are written with: ASCII, the typographer's marks, and Spanish, in which many U.S. names are spelt. */
const ascii = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index))
export const displayCharacters = `${ascii}‘’“”–—…áéíñóúüÁÉÍÑÓÚÜ¿¡`

interface Cut {
  /** `truetype` for what draws pictures: it reads no WOFF2. */
  readonly format?: 'woff2' | 'truetype'
  /** What is written with it beside {@link displayCharacters}; a letter of another face would stand out. */
  readonly text?: string
}

/**
 * The display face as the pages carry it: Source Serif 4, semibold, drawn for 40 pixels. 11.7 KB; with every feature and
 * Western letter of the font it would be 20.2. Its copyright and the address of its licence (OFL 1.1) stay in the file.
 */
export const cutDisplayFont = async (
  root: string,
  { format = 'woff2', text = '' }: Cut = {},
): Promise<Uint8Array> =>
  subset(await readFile(join(root, variable)), displayCharacters + text, {
    targetFormat: format,
    variationAxes: { wght: 600, opsz: 40 },
    keepFeatures: ['kern', 'liga'],
    noHinting: true,
    preserveNameIds: [14],
  })

/** What the operator's words have in the display face. */
export const headingsOf = ({ areas, shared, legal }: SiteWords): string =>
  [
    ...Object.values(areas).flatMap(({ name, headline, figures, reasons }) => [
      name,
      headline,
      ...figures.map(({ figure }) => figure),
      ...reasons.map(({ heading }) => heading),
    ]),
    ...Object.values(shared.headings),
    ...Object.values(legal).flatMap(({ title, sections }) => [
      title,
      ...sections.map(({ heading }) => heading),
    ]),
  ].join('')
