import { Hono } from 'hono'
import { html } from '#console/render.ts'
import { KeysPage } from '#console/shell/keys-page.tsx'
import type { ConsoleEnv } from './console-env.ts'
import type { ShellOf } from './shell-of.ts'

/** Nobody's data: every role may read it. */
export const keys = ({ shellOf }: { readonly shellOf: ShellOf }) =>
  new Hono<ConsoleEnv>().get('/keys', (c) => c.html(html(<KeysPage shell={shellOf(c)} />)))
