import { fork } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { endProcess } from './end-process.ts'
import type { Serving } from './serve.ts'

/** An answer with its headers as received. */
export interface Recorded {
  readonly headers: readonly string[]
  /** base64, because the answer goes to another process as JSON. */
  readonly body: string
}

/**
 * Fetches a page once, and starts a bare Node server in a separate process, like the product, which gives everyone the
 * same answer with the same headers.
 */
export async function startRecordedServer(url: string): Promise<Serving> {
  const child = fork(new URL('./recorded-server-process.ts', import.meta.url))
  child.send(await record(url))
  const [port] = await once(child, 'message')
  return { url: `http://127.0.0.1:${port}/`, stop: () => endProcess(child) }
}

/** Headers that Node's server adds by itself. */
const ownHeaders = /^(date|connection|keep-alive|transfer-encoding|content-length)$/i

const record = (url: string) =>
  new Promise<Recorded>((resolve, reject) => {
    request(url, { headers: { 'accept-encoding': 'br' } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const { rawHeaders } = response
        const headers = rawHeaders.filter(
          (_word, index) => !ownHeaders.test(rawHeaders[index - (index % 2)] ?? ''),
        )
        resolve({ headers, body: Buffer.concat(chunks).toString('base64') })
      })
    })
      .on('error', reject)
      .end()
  })
