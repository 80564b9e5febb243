import { productVersion } from '../../observability/product-version.ts'
import { StoreUnavailableError } from '../faults/store-unavailable-error.ts'

/** A migration that takes away what the release before used is named after the release that it came with. */
const needs = /^\d+-needs-(\d+\.\d+\.\d+)-/

/**
 * A later release's migrations only add, and this one runs beside them; but for those whose names
 * say that they do not, `0042-needs-1.0.0-drop-the-old-columns`.
 * @param unknown names of done migrations that this release has not
 * @throws StoreUnavailableError that names the release to start
 */
export function refuseTooNew(unknown: readonly string[]): void {
  const needed = unknown.findLast((name) => needs.test(name))
  if (needed === undefined) return
  const [, version] = needs.exec(needed) ?? []
  throw new StoreUnavailableError(
    `The leads were taken over by a newer release, and this one, ${productVersion}, can no longer use them: ` +
      `start ${version} or a later one. To go back for good, restore the backup from before that upgrade.`,
  )
}
