import { join, resolve } from 'node:path'
import type { Plugin } from 'vite'
import { readContent } from '#server/content/read-content.ts'
import { makePictures } from './pictures/make-pictures.ts'
import { PhotographError } from './pictures/photographs.ts'

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
      const read = readContent(join(root, 'content'))
      if (!read.ok) {
        const lines = read.faults.map((fault) => `  - ${fault}\n`)
        this.error({ message: `The words need to be corrected:\n${lines.join('')}`, stack: '' })
      }
      await makePictures({
        root,
        words: read.words,
        photographFolder: join(root, 'site-pictures'),
        clientFolder: resolve(root, clientFolder),
      }).catch((error: unknown) => {
        // To an operator the stack says nothing.
        if (error instanceof PhotographError) this.error({ message: error.message, stack: '' })
        throw error
      })
    },
  }
}
