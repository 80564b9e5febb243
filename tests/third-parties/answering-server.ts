import { httpReply, startHostileServer } from './hostile-server.ts'

/** A third party's recorded reply: HTTP status, and a body that is sent as JSON unless it is text. */
export interface RecordedReply {
  readonly status: number
  readonly body: object | string
}

/** Starts a server that answers with recorded replies in order, and repeats the last one. */
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
