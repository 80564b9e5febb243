import { Hono } from 'hono'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { answerError } from './answer-error.ts'

test.each([
  ['/api/leads', 'application/problem+json'],
  ['/business', 'text/plain; charset=UTF-8'],
])(
  'a fault of ours at %s is answered without its words, and the log has them',
  async (path, type) => {
    const lines: string[] = []
    const routes = new Hono().get(path, () => {
      throw new Error('a surprise')
    })
    routes.onError(answerError(pino({}, { write: (line) => lines.push(line) })))
    const reply = await routes.request(path, {}, {})
    expect(reply.status).toBe(500)
    expect(reply.headers.get('content-type')).toBe(type)
    expect(await reply.text()).not.toContain('surprise')
    expect(lines.join()).toContain('a surprise')
  },
)
