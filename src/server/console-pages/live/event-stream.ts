/** Proxies and our own listener end a line that says nothing for a minute; in milliseconds. */
const beatEvery = 15_000

/** So many messages wait for a browser that does not read: it asks anew when it does. */
const mostUnread = 100

/** One answer of server-sent events. */
export class EventStream {
  readonly body: ReadableStream<Uint8Array>
  /** Called once, whoever has ended it. */
  onClosed: () => void = () => {}
  readonly #encoder = new TextEncoder()
  readonly #beat: NodeJS.Timeout
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined

  constructor() {
    this.body = new ReadableStream(
      {
        start: (controller) => {
          this.#controller = controller
        },
        cancel: () => this.close(),
      },
      { highWaterMark: mostUnread },
    )
    this.#beat = setInterval(() => this.#write(':\n\n'), beatEvery)
    this.#write(':\n\n')
  }

  /** Without a line's end in any of them. */
  send(event: string, data: string, id?: string): void {
    this.#write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`)
  }

  close(): void {
    const controller = this.#controller
    if (controller === undefined) return
    this.#controller = undefined
    clearInterval(this.#beat)
    try {
      controller.close()
    } catch {
      // The browser has closed it.
    }
    this.onClosed()
  }

  #write(text: string): void {
    if (this.#controller === undefined) return
    if ((this.#controller.desiredSize ?? 0) <= 0) this.close()
    else this.#controller.enqueue(this.#encoder.encode(text))
  }
}
