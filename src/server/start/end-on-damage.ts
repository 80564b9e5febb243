import type { Logger } from 'pino'
import type { Stop } from './stop-on-signal.ts'
import type { Product } from './wiring/product.ts'

/** So long monitors and load balancers are told at least, in milliseconds. */
const toldFor = 1500

const kept =
  'Nothing is accepted since this was found. What was stored before is in that file as far as it can be read, and in the ' +
  'last backup: docs/deploy.md, “Back up and restore”.'

/**
 * A store whose file is damaged ends the process: what it could still say would be wrong, and what it could still store
 * might be lost. `/readyz` is 503 from the moment that it is found.
 */
export async function endOnDamage(
  { damaged }: Pick<Product, 'damaged'>,
  { log, stop }: { readonly log: Logger; readonly stop: Stop },
): Promise<void> {
  const words = `${(await damaged).message} ${kept}`
  log.fatal(`the process ends: ${words}`)
  process.stderr.write(`The product ends, as its store is damaged. ${words}\n`)
  await stop({ exitCode: 1, servesFor: toldFor })
}
