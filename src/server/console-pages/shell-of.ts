import type { ConsoleAssets } from '#console/shell/console-assets.ts'
import type { Shell } from '#console/shell/console-page.tsx'
import type { ConsoleContext } from './console-env.ts'
import { tokenOf } from './security/own-requests.ts'

/** What the shell of a page for this request shows. */
export const makeShellOf =
  (assets: ConsoleAssets, isDemo = true) =>
  (c: ConsoleContext): Shell => ({
    assets,
    path: c.req.path,
    token: tokenOf(c.get('secret')),
    operator: c.get('session')?.operator,
    liveMark: c.get('liveMark'),
    isDemo,
  })

export type ShellOf = ReturnType<typeof makeShellOf>
