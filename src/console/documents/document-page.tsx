import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Hono } from 'hono'
import { Marked } from 'marked'
import type { ConsoleEnv, ConsoleServices } from '#console/console-services.ts'
import { ConsolePage } from '#console/shell/console-page.tsx'
import { toAnchor } from '#domain/text/to-anchor.ts'
import styles from './document-page.module.css'

/** Shows the documents in the folder `docs`, which messages name and which the console's host has beside the product. */
export const documentRoutes = ({ documentFolder }: ConsoleServices) =>
  new Hono<ConsoleEnv>().get('/docs/:name', async (c) => {
    const file = c.req.param('name')
    if (!/^[a-z-]+\.md$/.test(file)) return c.notFound()
    const text = await readFile(join(documentFolder, file), 'utf8').catch(() => '')
    const [, name, body] = /^# ([^\n]+)\n(.*)$/s.exec(text) ?? []
    if (name === undefined || body === undefined) return c.notFound()
    const html = await markdown.parse(body)
    return c.render(
      <ConsolePage name={name}>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the text is part of the product, not an operator's */}
        <div className={styles.document} dangerouslySetInnerHTML={{ __html: html }} />
      </ConsolePage>,
    )
  })

const markdown = new Marked({
  renderer: {
    heading({ tokens, depth }) {
      const id = toAnchor(this.parser.parseInline(tokens, this.parser.textRenderer))
      return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>`
    },
    // The console shows only documents. A link to a file of the repository would lead nowhere.
    link({ href, tokens }) {
      const content = this.parser.parseInline(tokens)
      return /^(https:\/\/|#|[a-z-]+\.md(#|$))/.test(href)
        ? `<a href="${href}">${content}</a>`
        : content
    },
    image: () => '',
    html: () => '',
  },
})
