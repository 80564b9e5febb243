import { actionOf, type LiveTopic } from '#domain/live-topic.ts'
import type { LeadNews, LiveStore } from '#server/leads/live/live-news.ts'
import { authorise } from '#server/operators/authorise.ts'
import type { ConsoleActor } from '#server/operators/operator.ts'
import { sessionAge } from '#server/operators/sessions/keep-sessions.ts'
import { KnownNews } from './known-news.ts'
import { type LiveMark, markText } from './live-mark.ts'

/** Why a stream ends that its page has not ended. */
export type LiveEnd = 'session' | 'stopping'

export interface LiveStream {
  readonly sessionId: string
  readonly topics: readonly LiveTopic[]
  /** Up to where the page knows; undefined: it asks for everything. */
  readonly since: LiveMark | undefined
  tell(changed: readonly LiveTopic[], mark: string): void
  /** The store was asked just now: nothing happened but what was told. */
  sure(): void
  end(why: LiveEnd): void
}

interface LivePorts {
  readonly live: LiveStore
  readonly clock: () => number
  /** The store's, which is told seldom. */
  readonly failureLog: { failed(error: unknown): void; succeeded(): void }
}

/** One statement in so long, in milliseconds, however many pages are open. */
const lookEvery = 1000

/** A page that hears nothing for some of these takes what it shows for old; in milliseconds. */
const sureEvery = 2000

/** What this process follows itself is told so long after, at once with what follows it; in milliseconds. */
const gatheredFor = 50

/** A browser has six connections to a host without HTTP/2, and its pages need some. */
const mostOfSession = 4

/** Tells the pages that are open what has changed, and looks only while there are any. */
export class LiveStreams {
  readonly #ports: LivePorts
  /** With the mark that each was told. */
  readonly #streams = new Map<LiveStream, LiveMark | undefined>()
  #known: KnownNews | undefined
  #lookedAt = Number.NEGATIVE_INFINITY
  #sureAt = Number.NEGATIVE_INFINITY
  #next: NodeJS.Timeout | undefined
  #gathering: NodeJS.Timeout | undefined
  #isLooking = false
  #isStopped = false

  constructor(ports: LivePorts) {
    this.#ports = ports
  }

  get count(): number {
    return this.#streams.size
  }

  /** @throws NotAllowedError where they may not see one of them */
  authorise(actor: ConsoleActor, topics: readonly LiveTopic[]): void {
    for (const topic of topics) authorise(actor, actionOf(topic), this.#ports.clock())
  }

  /** Undefined where the session has as many as it may; else what closes it. */
  open(stream: LiveStream): (() => void) | undefined {
    const own = [...this.#streams.keys()].filter(({ sessionId }) => sessionId === stream.sessionId)
    if (own.length >= mostOfSession) return undefined
    this.#streams.set(stream, stream.since)
    if (this.#isStopped) this.#end(stream, 'stopping')
    else if (this.#next === undefined && !this.#isLooking) void this.#look()
    else this.#gather()
    return () => this.#close(stream)
  }

  /** Up to where somebody knows who reads the store from now on. */
  async mark(): Promise<string> {
    const isFresh = performance.now() - this.#lookedAt < lookEvery
    if (isFresh && this.#known !== undefined) return markText(this.#known.mark)
    return markText(await this.#read(Number.MAX_SAFE_INTEGER, []))
  }

  /** This process has brought these into the lists. */
  followed(news: LeadNews): void {
    if (this.#known?.add(news)) this.#gather()
  }

  /** Ends all of them, so that nothing waits for them. */
  stop(): void {
    this.#isStopped = true
    for (const stream of [...this.#streams.keys()]) this.#end(stream, 'stopping')
  }

  async #look(): Promise<void> {
    const begunAt = performance.now()
    this.#isLooking = true
    this.#next = undefined
    try {
      const [first] = this.#streams.values()
      const after = this.#known?.mark.seq ?? first?.seq ?? 0
      const sessions = [...new Set([...this.#streams.keys()].map(({ sessionId }) => sessionId))]
      const look = await this.#read(after, sessions)
      this.#lookedAt = begunAt
      if (this.#known === undefined) this.#known = new KnownNews(look)
      else this.#known.learn(look)
      this.#endClosed(sessions.filter((id) => !look.openSessions.includes(id)))
      this.#tell()
      this.#assure(begunAt)
      this.#ports.failureLog.succeeded()
    } catch (error) {
      this.#ports.failureLog.failed(error)
    }
    this.#isLooking = false
    if (this.#streams.size === 0) this.#rest()
    else this.#next = setTimeout(() => this.#look(), begunAt + lookEvery - performance.now())
  }

  /** Nobody listens: what would be known by the next time is too old. */
  #rest(): void {
    clearTimeout(this.#next)
    clearTimeout(this.#gathering)
    this.#next = undefined
    this.#gathering = undefined
    this.#known = undefined
  }

  #read(after: number, sessions: readonly string[]) {
    return this.#ports.live.look({ after, sessions, age: sessionAge(this.#ports.clock()) })
  }

  #endClosed(sessions: readonly string[]): void {
    for (const stream of [...this.#streams.keys()]) {
      if (sessions.includes(stream.sessionId)) this.#end(stream, 'session')
    }
  }

  #end(stream: LiveStream, why: LiveEnd): void {
    this.#close(stream)
    stream.end(why)
  }

  #close(stream: LiveStream): void {
    this.#streams.delete(stream)
    if (this.#streams.size === 0 && !this.#isLooking) this.#rest()
  }

  #assure(now: number): void {
    if (now - this.#sureAt < sureEvery) return
    this.#sureAt = now
    for (const stream of this.#streams.keys()) stream.sure()
  }

  #gather(): void {
    this.#gathering ??= setTimeout(() => this.#tell(), gatheredFor)
  }

  #tell(): void {
    clearTimeout(this.#gathering)
    this.#gathering = undefined
    const known = this.#known
    if (known === undefined) return
    for (const [stream, since] of this.#streams) {
      const changed = known.changedSince(since, stream.topics)
      this.#streams.set(stream, known.mark)
      if (changed.length > 0) stream.tell(changed, markText(known.mark))
    }
  }
}
