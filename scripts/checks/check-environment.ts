import { existsSync, readFileSync } from 'node:fs'
import { delimiter, resolve } from 'node:path'
import { env, stdout } from 'node:process'

const TOOLS = 'node_modules/.cache/tools.json'

/** The environment of checks: where Chromium and PostgreSQL are, this project's programs first, no colors in a log. */
export function checkEnvironment(): NodeJS.ProcessEnv {
  const found: { chromium?: string; postgres?: string } = existsSync(TOOLS)
    ? JSON.parse(readFileSync(TOOLS, 'utf8'))
    : {}
  const forChecks: NodeJS.ProcessEnv = {
    ...env,
    PATH: [resolve('node_modules/.bin'), env.PATH].join(delimiter),
  }
  if (found.chromium) forChecks.CHROMIUM_PATH = found.chromium
  if (found.postgres) forChecks.POSTGRES_BIN_DIR = found.postgres
  if (stdout.isTTY) {
    // The tools do not see the terminal: what they say comes to it by way of us.
    if (!env.NO_COLOR) forChecks.FORCE_COLOR ??= '1'
  } else {
    forChecks.NO_COLOR = '1'
    // It would win over NO_COLOR, and Node warns where both are set.
    delete forChecks.FORCE_COLOR
  }
  return forChecks
}
