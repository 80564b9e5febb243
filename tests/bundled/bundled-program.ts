import { join } from 'node:path'
import { env } from 'node:process'
import type { bundledSources } from './bundle-programs.ts'

/** The bundled file of a program, to be started as a process: see bundle-programs.ts. */
export const bundledProgram = (name: keyof typeof bundledSources): string =>
  join(env.TEST_PROGRAMS ?? '', `${name}.js`)
