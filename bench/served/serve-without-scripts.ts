import { compressed } from './compressed.ts'
import { type Served, type Serving, serve } from './serve.ts'

const scripts = /<script\b[^>]*>[\s\S]*?<\/script>/g

/** Serves the product's pages without scripts; every other file comes from the product. */
export function serveWithoutScripts(productUrl: string): Promise<Serving> {
  const kept = new Map<string, Served>()
  return serve(async (path) => {
    const known = kept.get(path)
    if (known) return known
    const response = await fetch(productUrl + path)
    if (!response.ok) return undefined
    const type = response.headers.get('content-type') ?? 'application/octet-stream'
    const made = type.startsWith('text/html')
      ? compressed(type, Buffer.from((await response.text()).replace(scripts, '')))
      : { type, body: new Uint8Array(await response.arrayBuffer()) }
    kept.set(path, made)
    return made
  })
}
