import type { Dispatcher } from 'undici'
import type { CallResult, Interruption, ReplyHeaders } from './call-result.ts'
import { decodeBody } from './decode-body.ts'
import { notSentCode } from './not-sent-code.ts'

type NoAnswer = Extract<CallResult, { kind: 'no-answer' }>

/** One request and its reply, as undici tells of it; what came of it is told once, whatever happens afterwards. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #maxBytes: number
  readonly #tell: (result: CallResult) => void
  #controller: Dispatcher.DispatchController | undefined
  #isTold = false
  #reply: { readonly status: number; readonly headers: ReplyHeaders } | undefined
  readonly #chunks: Buffer[] = []
  #bytes = 0

  constructor(maxBytes: number, tell: (result: CallResult) => void) {
    this.#maxBytes = maxBytes
    this.#tell = tell
  }

  /** @param dispatch rejects where the request is none */
  async run(dispatch: () => Promise<void>): Promise<void> {
    try {
      await dispatch()
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Ends it early. */
  interrupt(why: Exclude<Interruption, 'connection'>): void {
    // Without a controller it waits for its connection, and has sent nothing.
    this.#end(why, { maybeSent: this.#controller !== undefined, code: '' })
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isTold) controller.abort(new Error('ended before it began'))
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: ReplyHeaders): void {
    this.#reply = { status, headers }
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > this.#maxBytes) this.#end('too-large')
    else this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    if (this.#reply === undefined) return
    try {
      const encoded = Buffer.concat(this.#chunks, this.#bytes)
      const body = decodeBody(encoded, this.#reply.headers, this.#maxBytes)
      if (body === undefined) this.#end('too-large')
      else this.#settle({ kind: 'answered', ...this.#reply, body })
    } catch (error) {
      this.#fail(error)
    }
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error)
  }

  #fail(error: unknown): void {
    const notSent = notSentCode(error)
    this.#end('connection', { maybeSent: notSent === undefined, code: notSent ?? codeOf(error) })
  }

  #end(
    why: Interruption | 'too-large',
    withoutReply: Pick<NoAnswer, 'maybeSent' | 'code'> = { maybeSent: true, code: '' },
  ): void {
    if (this.#isTold) return
    if (this.#reply !== undefined) this.#settle({ kind: 'cut-short', ...this.#reply, why })
    else if (why !== 'too-large') this.#settle({ kind: 'no-answer', why, ...withoutReply })
    this.#controller?.abort(new Error(why))
  }

  #settle(result: CallResult): void {
    if (this.#isTold) return
    this.#isTold = true
    this.#tell(result)
  }
}

/** The code alone: an error's message may quote the URL, and with it the key. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^\w{1,63}$/.test(code) ? code : ''
}
