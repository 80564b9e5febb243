import type { FetchLoop } from './fetch-loop.ts'

/** Does the minimum of a worker: sends the same lead again and again, several at once, and reads the answers. */
process.once('message', ({ url, headers, body, concurrency }: FetchLoop) => {
  const loop = async () => {
    for (;;) {
      const reply = await fetch(url, { method: 'POST', headers, body })
      await reply.text()
    }
  }
  for (let index = 0; index < concurrency; index++) void loop()
})

// If the benchmark is killed, nothing else would end this process.
process.on('disconnect', () => process.exit())
