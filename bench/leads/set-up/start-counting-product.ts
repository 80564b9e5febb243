import { join } from 'node:path'
import { createBuilder } from 'vite'
import { type RunningProduct, startProcess } from '../../../tests/product/start-process.ts'
import type { Workshop } from '../../bench.ts'
import { projectFolder } from '../../project-folder.ts'

const name = 'counting-product'

/**
 * What durability is held against: the same call through the same router, built as the product is, with a store that
 * only counts.
 */
export async function startCountingProduct({ folder }: Workshop): Promise<RunningProduct> {
  // Within the project: what is not bundled is found beside it.
  const outDir = join(projectFolder, 'node_modules/.cache', name)
  const builder = await createBuilder({
    root: projectFolder,
    mode: 'production',
    logLevel: 'warn',
    environments: {
      ssr: {
        build: {
          outDir,
          emptyOutDir: true,
          sourcemap: false,
          rolldownOptions: { input: { [name]: join(import.meta.dirname, `${name}-process.ts`) } },
        },
      },
    },
  })
  const { ssr } = builder.environments
  if (ssr === undefined) throw new Error('vite.config.ts builds no server')
  await builder.build(ssr)
  return startProcess({ ROLE: 'web', DATA_DIR: join(folder, name) }, [
    join(outDir, `${name}.js`),
    projectFolder,
  ])
}
