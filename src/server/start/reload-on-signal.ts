import { resolve } from 'node:path'
import type { Logger } from 'pino'
import { readCatalogue } from '#server/content/read-catalogue.ts'
import { readContent } from '#server/content/read-content.ts'
import { catalogueFile, contentFolder } from './read-start.ts'
import type { Product } from './wiring/product.ts'

/**
 * On SIGHUP, reads the catalogue and the site's texts again and serves them from the next page on. If a file has
 * faults, the site keeps serving the last good version.
 * @param product a signal during the start waits until the start is complete, because the product has already read its
 *   files
 */
export function reloadOnSignal(
  product: Promise<Product>,
  projectFolder: string,
  log: Logger,
): void {
  const reload = ({ offer, say }: Product) => {
    const catalogue = readCatalogue(resolve(projectFolder, catalogueFile))
    if (catalogue.ok) {
      offer(catalogue.programs)
      log.info({ programs: catalogue.programs.length }, 'the catalogue was reloaded')
    } else {
      const { faults } = catalogue
      log.error(
        { faults },
        'the catalogue has faults and was not loaded: the site keeps its programs',
      )
    }
    const content = readContent(resolve(projectFolder, contentFolder))
    if (content.ok) {
      say(content.words)
      log.info('the texts of content/ were reloaded')
    } else {
      const { faults } = content
      log.error({ faults }, 'content/ has faults and was not loaded: pages keep their texts')
    }
  }
  // A failed start ends the process and reports the reason itself.
  process.on('SIGHUP', () => product.then(reload, () => undefined))
}
