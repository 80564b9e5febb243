import { missingRights, type ToldAction } from '#domain/operator/missing-rights.ts'
import type { Shell } from './console-page.tsx'
import controls from './controls.module.css'

/** Where a page is seen and a button on it is not: who has it. */
export function MissingRights({ shell, of }: { shell: Shell; of: readonly ToldAction[] }) {
  const said = missingRights(shell.operator?.role ?? 'viewer', of)
  return said === undefined ? null : <p className={controls.missing}>{said}</p>
}
