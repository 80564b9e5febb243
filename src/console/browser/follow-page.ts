import { againIn, NoLongerAllowedError, refreshPage } from './refresh-page.ts'
import { isPaused, togglePaused } from './remembered.ts'

/** Time between two refreshes, in milliseconds: with the stream, and without it. */
const restWithStream = 2000
const restWithoutStream = 15_000

/** A page that is slow to make rests this many times as long as its last refresh took. */
const restPerTaken = 10

/** After a lost stream, in milliseconds: doubled each time, up to the longest. */
const firstRetry = 1000
const longestRetry = 15_000

/** The server sends an event every second. A connection can be dead without being closed; in milliseconds. */
const longestSilence = 8000

type State = 'on' | 'slow' | 'paused' | 'away' | 'ended'

const stateText: Readonly<Record<State, string>> = {
  on: '',
  slow: 'every 15 s',
  paused: 'paused',
  away: 'no connection since',
  ended: 'you are signed out: reload the page',
}

/** Keeps the page up to date while somebody looks at it, if the page has the switch for it. */
export function followPage(): void {
  const place = document.querySelector<HTMLElement>('[data-live-switch]')
  if (place !== null) new LivePage(place).begin()
}

class LivePage {
  readonly #place: HTMLElement
  #source: EventSource | undefined
  #isStreaming = false
  #losses = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  #silence: ReturnType<typeof setTimeout> | undefined
  #refresh: ReturnType<typeof setTimeout> | undefined
  #isRefreshing = false
  #isStale = false
  #restUntil = performance.now() + restWithStream
  /** The page was right at this time; epoch milliseconds. */
  #rightAt = Date.now()
  #isEnded = false

  constructor(place: HTMLElement) {
    this.#place = place
  }

  begin(): void {
    this.#place.querySelector('button')?.addEventListener('click', () => {
      togglePaused()
      this.#attend()
    })
    document.addEventListener('visibilitychange', () => this.#attend())
    // Another window has toggled the switch, or the browser shows this page again from its memory.
    addEventListener('storage', () => this.#attend())
    addEventListener('pageshow', () => this.#attend())
    addEventListener('pagehide', () => this.#leave())
    this.#place.hidden = false
    this.#attend()
    const again = againIn(document)
    if (again !== undefined) this.#refreshIn(again)
  }

  #attend(): void {
    if (isPaused() || document.hidden || this.#isEnded) {
      this.#leave()
      this.#show(isPaused() ? 'paused' : 'on')
    } else if (this.#source === undefined && this.#retry === undefined) {
      this.#show('on')
      this.#connect()
    }
  }

  #leave(): void {
    this.#disconnect()
    clearTimeout(this.#refresh)
    clearTimeout(this.#retry)
    this.#retry = undefined
    this.#losses = 0
  }

  #disconnect(): void {
    clearTimeout(this.#silence)
    this.#source?.close()
    this.#source = undefined
    this.#isStreaming = false
  }

  #connect(): void {
    this.#retry = undefined
    const source = new EventSource('/events')
    this.#source = source
    this.#hear()
    // The first event reports a change: the page may have missed one since it was made.
    source.addEventListener('changed', () => {
      this.#hear()
      if (this.#losses > 0) this.#restUntil = 0
      this.#losses = 0
      this.#isStreaming = true
      this.#refreshIn(0)
    })
    source.addEventListener('same', () => {
      this.#hear()
      if (this.#isStale) return
      this.#rightAt = Date.now()
      this.#show('on')
    })
    source.addEventListener('ended', () => this.#end())
    // The browser would reconnect at once and forever, and never after a refusal.
    source.addEventListener('error', () => this.#lose())
  }

  #hear(): void {
    clearTimeout(this.#silence)
    this.#silence = setTimeout(() => this.#lose(), longestSilence)
  }

  #lose(): void {
    if (this.#isStreaming) this.#show('away')
    this.#disconnect()
    const wait = Math.min(longestRetry, firstRetry * 2 ** this.#losses)
    this.#losses += 1
    // Random, so that after a restart all pages don't return at once.
    this.#retry = setTimeout(() => this.#connect(), wait * (0.5 + Math.random() / 2))
    this.#refreshIn(0)
  }

  #refreshIn(ms: number): void {
    this.#isStale ||= ms === 0
    if (this.#isRefreshing) return
    clearTimeout(this.#refresh)
    const wait = Math.max(ms, this.#restUntil - performance.now())
    this.#refresh = setTimeout(() => this.#refreshNow(), wait)
  }

  async #refreshNow(): Promise<void> {
    this.#isStale = false
    this.#isRefreshing = true
    const beganAt = performance.now()
    let next: number | undefined
    try {
      next = (await refreshPage(() => this.#refreshIn(0))).againIn
      this.#rightAt = Date.now()
      if (!isPaused()) this.#show(this.#isStreaming ? 'on' : 'slow')
    } catch (error) {
      this.#isStale = true
      if (error instanceof NoLongerAllowedError) this.#end()
      else if (!isPaused()) this.#show('away')
    }
    this.#isRefreshing = false
    const took = performance.now() - beganAt
    const rest = this.#isStreaming ? restWithStream : restWithoutStream
    this.#restUntil = beganAt + Math.min(Math.max(rest, took * restPerTaken), restWithoutStream)
    if (isPaused() || document.hidden || this.#isEnded) return
    if (this.#isStale || !this.#isStreaming) this.#refreshIn(0)
    else if (next !== undefined) this.#refreshIn(next)
  }

  #end(): void {
    this.#isEnded = true
    this.#leave()
    this.#show('ended')
  }

  #show(state: State): void {
    const shown = this.#isEnded ? 'ended' : state
    this.#place.dataset.state = shown
    this.#place.querySelector('button')?.setAttribute('aria-pressed', String(!isPaused()))
    const place = this.#place.querySelector('[data-live-state]')
    const since = new Date(this.#rightAt).toLocaleTimeString('en-US', { timeStyle: 'medium' })
    const text = shown === 'away' ? `${stateText.away} ${since}: trying again` : stateText[shown]
    if (place && place.textContent !== text) place.textContent = text
  }
}
