import type { Plugin } from 'vite'
import { cutDisplayFont } from './fonts/cut-display-font.ts'

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
      const source = await cutDisplayFont(root)
      this.emitFile({ type: 'asset', name: fileName, originalFileName: fileName, source })
    },
    configureServer({ middlewares }) {
      const cut = cutDisplayFont(root)
      middlewares.use(`/${fileName}`, (_, response) => {
        cut.then((font) => response.setHeader('content-type', 'font/woff2').end(font))
      })
    },
  }
}
