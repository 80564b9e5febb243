import type { Logger } from 'pino'
import type { CheckedCatalogue } from '#domain/catalogue/check-catalogue.ts'
import type { Product } from '#server/wiring/product.ts'

interface ReloadPorts {
  /** A signal that comes while it starts waits for it: it has read the catalogue by then. */
  readonly product: Promise<Pick<Product, 'offer'>>
  readonly readCatalogue: () => CheckedCatalogue
  readonly log: Logger
}

/**
 * On SIGHUP: reads the catalogue anew, and offers what it says from the next page on. One that is at fault is not taken:
 * what was on offer stays so.
 */
export function reloadOnSignal({ product, readCatalogue, log }: ReloadPorts): void {
  const reload = ({ offer }: Pick<Product, 'offer'>) => {
    const read = readCatalogue()
    if (!read.ok) {
      const { faults } = read
      log.error({ faults }, 'the catalogue is at fault and not taken: what was on offer stays so')
      return
    }
    offer(read.programs)
    log.info({ programs: read.programs.length }, 'the catalogue was read anew')
  }
  // A start that fails ends the process, and says why.
  process.on('SIGHUP', () => product.then(reload, () => undefined))
}
