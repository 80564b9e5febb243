import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'

const path = '/speculation-rules.json'

/** Pages that a visitor is about to open are fetched ahead. */
const rules = {
  prefetch: [{ where: { href_matches: '/information/*' }, eagerness: 'moderate' }],
}

export const speculationRules = new Hono().get(path, (c) =>
  c.body(JSON.stringify(rules), 200, {
    'content-type': 'application/speculationrules+json',
    'cache-control': 'public, max-age=86400',
  }),
)

/** Points a page's browser to the rules: a header, as the security policy lets no script stand in the page. */
export const announceSpeculationRules = createMiddleware(async (c, next) => {
  await next()
  if (c.res.headers.get('content-type')?.startsWith('text/html')) {
    c.header('Speculation-Rules', `"${path}"`)
  }
})
