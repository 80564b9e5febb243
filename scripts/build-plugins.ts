import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'
import { settingDeclarations } from '#server/config/setting-declarations.ts'
import { readContent } from '#server/content/read-content.ts'
import { joinHeadings, subsetDisplayFont } from './fonts/subset-display-font.ts'
import { makePictures } from './pictures/make-pictures.ts'
import { PhotographError } from './pictures/photographs.ts'

/** The font's name in the build's manifest and on the development server. */
const fileName = 'display.woff2'

/**
 * Subsets the display font. The build writes the font beside the scripts under a hashed name; the development server
 * keeps it in memory.
 */
export const displayFont = (): Plugin => {
  let root = ''
  return {
    name: 'display-font',
    applyToEnvironment: ({ name }) => name === 'client',
    configResolved(config) {
      root = config.root
    },
    async buildStart() {
      if (this.environment.mode !== 'build') return
      const source = await subsetFont(root)
      this.emitFile({ type: 'asset', name: fileName, originalFileName: fileName, source })
    },
    configureServer({ middlewares }) {
      const font = subsetFont(root)
      middlewares.use(`/${fileName}`, (_, response) => {
        font.then((bytes) => response.setHeader('content-type', 'font/woff2').end(bytes))
      })
    },
  }
}

/**
 * Subsets the font, with every letter of the operator's headings. If content/ has faults, the pictures plugin reports
 * them.
 */
function subsetFont(root: string): Promise<Uint8Array> {
  const read = readContent(join(root, 'content'), 'demo')
  return subsetDisplayFont(root, read.ok ? { text: joinHeadings(read.texts) } : {})
}

/** Makes the icons, the social images and the operator's photographs beside the built scripts. */
export const pictures = (clientFolder: string): Plugin => {
  let root = ''
  return {
    name: 'pictures',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    configResolved(config) {
      root = config.root
    },
    async writeBundle() {
      const read = readContent(join(root, 'content'), 'demo')
      if (!read.ok) {
        const lines = read.faults.map((fault) => `  - ${fault}\n`)
        this.error({ message: `The texts need to be corrected:\n${lines.join('')}`, stack: '' })
      }
      await makePictures({
        root,
        texts: read.texts,
        photographFolder: join(root, 'site-pictures'),
        clientFolder: resolve(root, clientFolder),
        school: process.env.SCHOOL_NAME || settingDeclarations.SCHOOL_NAME.inDemo,
      }).catch((error: unknown) => {
        // A stack trace would not help an operator.
        if (error instanceof PhotographError) this.error({ message: error.message, stack: '' })
        throw error
      })
    },
  }
}

/**
 * Keeps Vite from wrapping each `import()` in a 0.7 KB helper that preloads stylesheets and chunks: each page already
 * contains its styles, and no chunk imports another.
 */
export const plainImport = (): Plugin => ({
  name: 'plain-import',
  enforce: 'pre',
  apply: 'build',
  load: {
    filter: { id: /vite\/preload-helper/ },
    handler: () => 'export const __vitePreload = (load) => load()',
  },
})

/** Puts a `.br` and a `.gz` file beside each built script, so that no request waits for compression. */
export const precompress = (environment: string, clientFolder: string): Plugin => ({
  name: `precompress-${environment}`,
  apply: 'build',
  applyToEnvironment: ({ name }) => name === environment,
  async writeBundle() {
    const folder = join(clientFolder, 'assets')
    const scripts = (await readdir(folder)).filter((name) => name.endsWith('.js'))
    for (const path of scripts.map((name) => join(folder, name))) {
      const content = await readFile(path)
      const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
      await writeFile(`${path}.br`, brotliCompressSync(content, brotli))
      await writeFile(`${path}.gz`, gzipSync(content, { level: 9 }))
    }
  },
})
