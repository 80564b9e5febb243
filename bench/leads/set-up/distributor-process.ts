import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Arrival, Order } from './distributor.ts'

/** Answers every lead with success after some milliseconds, and times the arrivals that the benchmark asks for. */
const delayMs = Number(process.argv[2])
const answer = '{"status":"success"}'
const headers = ['content-type', 'application/json', 'content-length', String(answer.length)]

let received = 0
let startsAt = Number.POSITIVE_INFINITY
let endsAt = Number.POSITIVE_INFINITY
let startedAt = 0

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const give = () => response.writeHead(200, headers).end(answer)
    if (delayMs > 0) setTimeout(give, delayMs)
    else give()
    received++
    if (received === startsAt) startedAt = performance.now()
    if (received !== endsAt) return
    const seconds = (performance.now() - startedAt) / 1000
    process.send?.({
      perSecond: (endsAt - startsAt) / seconds,
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    } satisfies Arrival)
  })
})

process.on('message', ({ skip, count }: Order) => {
  startsAt = received + skip
  endsAt = startsAt + count
})

server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))

// If the benchmark is killed, nothing needs this process any more.
process.on('disconnect', () => process.exit())
