import { join } from 'node:path'
import type { Plugin } from 'vite'
import { readContent } from '#server/content/read-content.ts'
import { cutDisplayFont, headingsOf } from './fonts/cut-display-font.ts'

/** What the build's manifest calls it, and where the development server has it. */
const fileName = 'display.woff2'

/** Cuts the display face: into the build beside the scripts, under a name that changes with it; while developing from memory. */
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
      const source = await cut(root)
      this.emitFile({ type: 'asset', name: fileName, originalFileName: fileName, source })
    },
    configureServer({ middlewares }) {
      const font = cut(root)
      middlewares.use(`/${fileName}`, (_, response) => {
        font.then((bytes) => response.setHeader('content-type', 'font/woff2').end(bytes))
      })
    },
  }
}

/** With every letter of the operator's headings. Where those are at fault, the pictures say so. */
function cut(root: string): Promise<Uint8Array> {
  const read = readContent(join(root, 'content'))
  return cutDisplayFont(root, read.ok ? { text: headingsOf(read.words) } : {})
}
