import type { Logger } from 'pino'
import type { CheckedCatalogue } from '#server/content/read-catalogue.ts'
import type { ReadContent } from '#server/content/read-content.ts'
import type { Product } from './wiring/product.ts'

type Reloadable = Pick<Product, 'offer' | 'say'>

interface ReloadParts {
  /** A signal during the start waits until it is complete, because the product has already read its files. */
  readonly product: Promise<Reloadable>
  readonly readCatalogue: () => CheckedCatalogue
  readonly readContent: () => ReadContent
  readonly log: Logger
}

/**
 * On SIGHUP, reads the catalogue and the site's texts again and serves them from the next page on. If a file has
 * faults, the site keeps serving the last good version.
 */
export function reloadOnSignal({ product, readCatalogue, readContent, log }: ReloadParts): void {
  const reload = ({ offer, say }: Reloadable) => {
    const catalogue = readCatalogue()
    if (catalogue.ok) {
      offer(catalogue.programs)
      log.info({ programs: catalogue.programs.length }, 'the catalogue was reloaded')
    } else {
      const { faults } = catalogue
      log.error(
        { faults },
        'the catalogue has faults and was not loaded: the programs on offer stay',
      )
    }
    const content = readContent()
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
