import { request } from 'node:http'
import { text } from 'node:stream/consumers'

interface RawReply {
  readonly status: number | undefined
  readonly location: string | undefined
  readonly text: string
}

/** Sends exactly these headers, because `fetch` changes some. */
export const askRaw = (url: string, headers: Readonly<Record<string, string>>) =>
  new Promise<RawReply>((resolve, reject) => {
    const asked = request(url, { headers }, async (reply) =>
      resolve({
        status: reply.statusCode,
        location: reply.headers.location,
        text: await text(reply),
      }),
    )
    asked.on('error', reject).end()
  })
