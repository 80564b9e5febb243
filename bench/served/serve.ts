import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'

export interface Served {
  readonly type: string
  readonly encoding?: 'br'
  /** Headers besides the type and the encoding. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer>
}

export interface Serving {
  readonly url: string
  readonly stop: () => Promise<void>
}

/**
 * Serves reference pages with the kind of server that the product is: Hono on Node, on loopback.
 * @param find finds a response by path and query; undefined becomes a 404
 */
export async function serve(
  find: (path: string) => Served | undefined | Promise<Served | undefined>,
): Promise<Serving> {
  const routes = new Hono().get('*', async (c) => {
    const { pathname, search } = new URL(c.req.url)
    const found = await find(pathname + search)
    if (found === undefined) return c.notFound()
    if (found.encoding) c.header('Content-Encoding', found.encoding)
    return c.body(found.body, 200, { ...found.headers, 'content-type': found.type })
  })
  const server = createAdaptorServer({ fetch: routes.fetch }) as Server
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
