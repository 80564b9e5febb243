import { existsSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { print } from '#cli/terminal.ts'

/** `npm run demo` fills a folder of its own once, and starts the product on this folder. */
const folder = resolve(import.meta.dirname, '../data/demo')

// Nothing made up may reach a store, a school or a chat that the shell's settings name.
for (const name of ['DATABASE_URL', 'DISTRIBUTOR_URL', 'ALERT_WEBHOOK_URL']) {
  delete process.env[name]
  delete process.env[`${name}_FILE`]
}
process.env.APP_MODE = 'demo'
process.env.DATA_DIR = relative(process.cwd(), folder)

if (!existsSync(folder)) {
  print('Making up a year of business. This happens once, and takes about a minute.')
  const { makeDemoFolder } = await import('./demo-data.ts')
  await makeDemoFolder(folder)
}
// The build is imported by a path that the compiler doesn't check, because the build comes after the compiler.
const product = '../dist/server/main.js'
await import(product)
