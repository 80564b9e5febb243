import { join, resolve } from 'node:path'
import type { Plugin } from 'vite'
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
      await makePictures({
        root,
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
