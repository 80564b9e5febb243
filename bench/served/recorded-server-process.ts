import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Recorded } from './recorded-server.ts'

process.once('message', ({ headers, body }: Recorded) => {
  const bytes = Buffer.from(body, 'base64')
  const whole = [...headers, 'content-length', String(bytes.length)]
  const server = createServer((_request, response) => {
    response.writeHead(200, whole)
    response.end(bytes)
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
})

// If the benchmark is killed, nothing needs this process any more.
process.on('disconnect', () => process.exit())
