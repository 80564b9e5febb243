import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** Puts a `.br` and a `.gz` beside each built script, so that no request waits for a compressor. */
export const precompress = (environment: string, clientFolder: string): Plugin => ({
  name: `precompress-${environment}`,
  apply: 'build',
  applyToEnvironment: ({ name }) => name === environment,
  async writeBundle() {
    const folder = join(clientFolder, 'assets')
    const scripts = (await readdir(folder)).filter((name) => name.endsWith('.js'))
    for (const path of scripts.map((name) => join(folder, name))) {
      const content = await readFile(path)
      const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
      await writeFile(`${path}.br`, brotliCompressSync(content, brotli))
      await writeFile(`${path}.gz`, gzipSync(content, { level: 9 }))
    }
  },
})
