import { compressed } from '../served/compressed.ts'
import { type Serving, serve } from '../served/serve.ts'
import { buildBarePage } from './build-bare-page.ts'
import { elementTree } from './element-tree.ts'

const island =
  /(<div id="enquiry" data-script=")([^"]*)(">)(.*?)(<\/div><script id="enquiry-props"[^>]*>)[^<]*/s

/**
 * The product's page with React alone in its form's place: the same markup, hydrated by nothing else.
 * @param folder where the build may write; what is in it goes
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

/** What this server says by itself of what it sends. */
const own = /^(content-(type|length|encoding)|connection|keep-alive|date|transfer-encoding|etag)$/

/** The page's headers have a weight and ask for more, as speculation rules: they are the page's, not the form's. */
const headersOf = ({ headers }: Response): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => !own.test(name)))
