import { httpReply, startHostileServer } from './hostile-server.ts'

/** What a third party sent: HTTP status, and a body that is sent as JSON unless it is text. */
export interface RecordedReply {
  readonly status: number
  readonly body: object | string
}

/** For tests: a server that answers with recorded replies, one after the other, the last one for ever. */
export async function startAnsweringServer(replies: readonly RecordedReply[]) {
  const requests: string[] = []
  const server = await startHostileServer((socket, request) => {
    const { status, body } = replies[Math.min(requests.length, replies.length - 1)] ?? {
      status: 500,
      body: '',
    }
    requests.push(request)
    socket.end(httpReply(status, typeof body === 'string' ? body : JSON.stringify(body)))
  })
  return { ...server, requests }
}
