import type { FetchLoop } from './fetch-loop.ts'

/** The least that a worker does: sends the same lead over and over, so many at once, and reads the answers. */
process.once('message', ({ url, headers, body, concurrency }: FetchLoop) => {
  const loop = async () => {
    for (;;) {
      const reply = await fetch(url, { method: 'POST', headers, body })
      await reply.text()
    }
  }
  for (let index = 0; index < concurrency; index++) void loop()
})

// A bench that was killed has nobody to end this.
process.on('disconnect', () => process.exit())
