import { join } from 'node:path'
import { env } from 'node:process'

/** Lets programs that a test run starts repeatedly share compiled code. The cache is deleted after the run. */
export const compileCache = (): Readonly<Record<string, string>> =>
  env.TEST_PROGRAMS === undefined ? {} : { NODE_COMPILE_CACHE: join(env.TEST_PROGRAMS, 'compiled') }
