import { compressed } from '../served/compressed.ts'
import { type Serving, serve } from '../served/serve.ts'
import { buildBarePage } from './build-bare-page.ts'
import { elementTree } from './element-tree.ts'

const island =
  /(<div id="enquiry" data-script=")([^"]*)(">)(.*?)(<\/div><script id="enquiry-props"[^>]*>)[^<]*/s

/**
 * Serves the product's page with React alone in place of its form: the same markup, hydrated without the form's code.
 * @param folder the build's folder, which is emptied first
 */
export async function serveBareForm(productUrl: string, folder: string): Promise<Serving> {
  const script = (await buildBarePage('hydrate-form.ts', folder)).get('/bare.js')
  const response = await fetch(productUrl)
  const headers = headersOf(response)
  const text = await response.text()
  const [, , ours = '', , markup = ''] = island.exec(text) ?? []
  const tree = JSON.stringify(elementTree(markup)).replaceAll('<', '\\u003c')
  const page = text
    .replace(island, `$1$2$3$4$5${tree.replaceAll('$', '$$$$')}`)
    .replaceAll(ours, '/bare.js')
  return serve(async (path) => {
    if (path === '/')
      return { ...compressed('text/html; charset=utf-8', Buffer.from(page)), headers }
    if (path === '/bare.js') return script
    const response = await fetch(productUrl + path)
    const type = response.headers.get('content-type') ?? 'application/octet-stream'
    return response.ok
      ? { type, body: new Uint8Array(await response.arrayBuffer()), headers: headersOf(response) }
      : undefined
  })
}

/** Headers that this server adds by itself. */
const own = /^(content-(type|length|encoding)|connection|keep-alive|date|transfer-encoding|etag)$/

/**
 * Headers that make the page heavier or cause further requests, such as speculation rules, belong to the page and not
 * to the form.
 */
const headersOf = ({ headers }: Response): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => !own.test(name)))
