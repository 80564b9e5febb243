import { html } from '#console/render.ts'
import { MessagePage } from '#console/shell/console-page.tsx'
import type { ConsoleContext } from '../console-env.ts'
import type { ShellOf } from '../shell-of.ts'

const text =
  'There is no job with this reference. A plan that nobody starts is removed after a week.'

export const unknownJob = (shellOf: ShellOf) => (c: ConsoleContext) =>
  c.html(html(<MessagePage shell={shellOf(c)} name="No such job" text={text} />), 404)
