import { Hono } from 'hono'
import type { ConsoleEnv } from './console-env.ts'

/** What answers a form with a page of its own, by the page that the form stands on. */
const formsOf = {
  '/account': ['/password', '/passkeys', '/passkeys/remove', '/sessions/end'],
  '/deliveries': ['/pause', '/resume'],
  '/leads': ['/search', '/views'],
  '/operators': ['/:id/role', '/:id/disable', '/:id/enable', '/:id/invite'],
} as const

/** Who presses Enter in the address of such an answer, or opens it from the history, asks for the page, and does nothing. */
export function whereItWasPosted() {
  const routes = new Hono<ConsoleEnv>()
  for (const [page, forms] of Object.entries(formsOf)) {
    for (const form of forms) routes.get(page + form, (c) => c.redirect(page, 303))
  }
  return routes
}
