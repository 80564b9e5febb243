import { join } from 'node:path'
import { createBuilder } from 'vite'
import { type RunningProduct, startProcess } from '../../../tests/product/start-process.ts'
import type { Workshop } from '../../bench.ts'
import { projectFolder } from '../../project-folder.ts'

const name = 'counting-product'

/**
 * The reference for the cost of storing: the same call and router, built like the product, with a store that only
 * counts.
 */
export async function startCountingProduct({ folder }: Workshop): Promise<RunningProduct> {
  // The folder is in the project, because packages that are not bundled are found from there.
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
