import { createServer } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

// Node loads this file into a product and its threads (`--import`), without a change of the product.
if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  createServer((_request, response) => {
    response.end(String(delay.percentile(99) / 1e6))
    delay.reset()
  })
    .listen(Number(process.env.EVENT_LOOP_PROBE_PORT), '127.0.0.1')
    .unref()
}
