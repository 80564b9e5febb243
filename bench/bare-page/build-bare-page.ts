import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, loadConfigFromFile, type Plugin, type PluginOption, type UserConfig } from 'vite'
import { projectFolder } from '../project-folder.ts'
import { compressed } from '../served/compressed.ts'
import type { Served } from '../served/serve.ts'
import { rootId, rootText } from './markup.ts'

/**
 * Builds a page that hydrates a div and nothing else, with the product's own Vite configuration.
 * @param entry in bench/bare-page
 * @param folder the build's folder, which is emptied first
 * @returns the page's responses by path
 */
export async function buildBarePage(
  entry: 'hydrate.ts' | 'hydrate-and-tell.ts' | 'hydrate-form.ts',
  folder: string,
): Promise<Map<string, Served>> {
  const { plugins, ...config } = await productConfig()
  await build({
    root: projectFolder,
    configFile: false,
    mode: 'production',
    logLevel: 'warn',
    plugins: withoutWritingToDist(plugins),
    build: {
      ...config.build,
      outDir: folder,
      emptyOutDir: true,
      rolldownOptions: {
        input: join(import.meta.dirname, entry),
        output: { entryFileNames: 'bare.js' },
      },
    },
  })
  const page =
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Bare</title>' +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    '<script type="module" src="/bare.js"></script></head>' +
    `<body><div id="${rootId}"><div>${rootText}</div></div></body></html>`
  const script = await readFile(join(folder, 'bare.js'))
  return new Map([
    ['/', compressed('text/html; charset=utf-8', Buffer.from(page))],
    ['/bare.js', compressed('text/javascript; charset=utf-8', script)],
  ])
}

async function productConfig(): Promise<UserConfig> {
  const env = { command: 'build', mode: 'production' } as const
  const loaded = await loadConfigFromFile(env, join(projectFolder, 'vite.config.ts'))
  if (loaded === null) throw new Error('vite.config.ts is missing')
  return loaded.config
}

/** These plugins write into the product's own dist, and the bare page has no picture and no font. */
const writesToDist = /^(precompress-.*|pictures|display-font)$/

const withoutWritingToDist = (plugins: PluginOption): PluginOption[] =>
  ([plugins] as unknown[])
    .flat(Number.POSITIVE_INFINITY)
    .filter((plugin): plugin is Plugin => isPlugin(plugin) && !writesToDist.test(plugin.name))

const isPlugin = (value: unknown): value is Plugin =>
  typeof value === 'object' && value !== null && 'name' in value
