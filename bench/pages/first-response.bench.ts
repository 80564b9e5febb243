import { type IncomingMessage, request } from 'node:http'
import type { Bench } from '../bench.ts'
import { plainFigure, quantity } from '../figure.ts'
import { landingPages } from './pages.ts'

/**
 * 12.5 KiB of HTML and CSS, and 1 KiB of data for search engines. With its headers, a page fits into the 14,600 bytes that
 * a server may send before the client confirms any (RFC 6928).
 */
const largestPage = 13.5 * 1024

export const firstResponse: Bench = {
  name: 'first-response',
  title: 'First response',
  async measure({ product }) {
    const sizes = await Promise.all(
      landingPages.map(async (path) => ({ path, ...(await sizeOf(product.url + path)) })),
    )
    const largest = sizes.reduce((a, b) => (a.body > b.body ? a : b))
    return [
      plainFigure({
        name: 'HTML + CSS of a landing page, brotli',
        value: largest.body,
        measured: `${quantity(largest.body, 'B')} (${largest.path}; with its headers ${quantity(largest.body + largest.headers, 'B')})`,
        unit: 'B',
        limit: { atMost: largestPage },
        samples: { bytes: sizes.map(({ body }) => body) },
      }),
    ]
  },
}

/** Separate style sheets of the page count, too. */
async function sizeOf(url: string): Promise<{ body: number; headers: number }> {
  const { body, headers } = await get(url)
  const html = await (await fetch(url)).text()
  const sheets = [...html.matchAll(/<link\b[^>]*\brel="stylesheet"[^>]*>/g)].flatMap(
    ([link]) => link.match(/\bhref="([^"]+)"/)?.[1] ?? [],
  )
  const others = await Promise.all(sheets.map((sheet) => get(new URL(sheet, url).href)))
  return { body: others.reduce((sum, other) => sum + other.body, body), headers }
}

/** The transferred bytes: `fetch` shows them only decompressed. */
const get = (url: string) =>
  new Promise<{ body: number; headers: number }>((resolve, reject) => {
    const read = async (response: IncomingMessage) => {
      let body = 0
      for await (const chunk of response) body += (chunk as Buffer).length
      const headers = response.rawHeaders.reduce((sum, word) => sum + word.length + 2, 0)
      return { body, headers: headers + 'HTTP/1.1 200 OK\r\n\r\n'.length }
    }
    request(url, { headers: { 'accept-encoding': 'br' } }, (response) =>
      read(response).then(resolve, reject),
    )
      .on('error', reject)
      .end()
  })
