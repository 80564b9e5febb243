import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import subset from 'subset-font'

const variable =
  'node_modules/@fontsource-variable/source-serif-4/files/source-serif-4-latin-opsz-normal.woff2'

/** What headings are written with: ASCII, the typographer's marks, and Spanish, in which many U.S. names are spelt. */
const ascii = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index))
export const displayCharacters = `${ascii}‘’“”–—…áéíñóúüÁÉÍÑÓÚÜ¿¡`

/**
 * The display face as the pages carry it: Source Serif 4, semibold, drawn for 40 pixels. 11.7 KB; with every feature and
 * Western letter of the font it would be 20.2. Its copyright and the address of its licence (OFL 1.1) stay in the file.
 */
export const cutDisplayFont = async (root: string): Promise<Uint8Array> =>
  subset(await readFile(join(root, variable)), displayCharacters, {
    targetFormat: 'woff2',
    variationAxes: { wght: 600, opsz: 40 },
    keepFeatures: ['kern', 'liga'],
    noHinting: true,
    preserveNameIds: [14],
  })
