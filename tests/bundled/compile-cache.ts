import { join } from 'node:path'
import { env } from 'node:process'

/** For what a test run starts again and again: Node reads there how it has compiled the code before. It goes with the run. */
export const compileCache = (): Readonly<Record<string, string>> =>
  env.TEST_PROGRAMS === undefined ? {} : { NODE_COMPILE_CACHE: join(env.TEST_PROGRAMS, 'compiled') }
