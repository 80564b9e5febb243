import { fork } from 'node:child_process'
import type { IncomingHttpHeaders } from 'node:http'
import type { Workshop } from '../../bench.ts'
import { endProcess } from '../../served/end-process.ts'

export interface FetchLoop {
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: string
  readonly concurrency: number
}

/** Starts sending in a separate process; the returned function ends it. */
export function startFetchLoop({ atEnd }: Workshop, order: FetchLoop): () => Promise<void> {
  const child = fork(new URL('./fetch-loop-process.ts', import.meta.url))
  const stop = () => endProcess(child)
  atEnd(stop)
  child.send(order)
  return stop
}

/** Headers that `fetch` adds by itself. */
const ownHeaders =
  /^(host|connection|content-length|transfer-encoding|accept-encoding|sec-fetch-mode|accept-language|user-agent)$/

export const withoutOwnHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && !ownHeaders.test(name) ? [[name, value]] : [],
    ),
  )
