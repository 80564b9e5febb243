import { isPaused, pauseOrGoOn } from './pausing.ts'
import { againIn, refreshPage, SignedOutError } from './refresh-page.ts'
import { type LiveState, sayState } from './say-state.ts'

/**
 * Between two looks at a page, in milliseconds, and how many times as long as one took: a slow page is asked for less. One
 * look that a sleeping laptop took does not keep it from following for longer than that.
 */
const restAtLeast = 900
const restTimes = 10
const longestRest = 15_000

/** After a failure, in milliseconds: doubled with each, up to a minute. */
const firstWait = 1000
const longestWait = 60_000

/** The server says every two or three seconds that it knows of nothing more; in milliseconds. */
const longestSilence = 8000

/** Follows what happens while somebody looks at the page, if it says that it can. */
export function followPage(): void {
  const place = document.querySelector<HTMLElement>('[data-live-follows]')
  if (place !== null) new LivePage(place).begin()
}

class LivePage {
  readonly #place: HTMLElement
  readonly #topics: readonly string[]
  #mark: string
  #source: EventSource | undefined
  #failures = 0
  /** Why it does not follow, where it would. */
  #lack: 'away' | 'full' = 'away'
  #retry: ReturnType<typeof setTimeout> | undefined
  #silence: ReturnType<typeof setTimeout> | undefined
  /** Up to then what stands here is known to hold; epoch milliseconds. */
  #heardAt = Date.now()
  #refresh: ReturnType<typeof setTimeout> | undefined
  #isRefreshing = false
  #isStale = false
  #restUntil = 0
  #isEnded = false

  constructor(place: HTMLElement) {
    this.#place = place
    this.#topics = place.dataset.liveFollows?.split(' ') ?? []
    this.#mark = place.dataset.liveMark ?? ''
  }

  begin(): void {
    const button = this.#place.querySelector('button')
    button?.addEventListener('click', () => {
      pauseOrGoOn()
      this.#attend()
    })
    document.addEventListener('visibilitychange', () => this.#attend())
    // Another window has paused it, or this page comes back from the browser's memory.
    addEventListener('storage', () => this.#attend())
    addEventListener('pageshow', () => this.#attend())
    addEventListener('pagehide', () => this.#leave())
    this.#place.hidden = false
    this.#attend()
    const again = againIn(document)
    if (again !== undefined && this.#source !== undefined) this.#refreshSoon(again)
  }

  /** Follows where somebody looks and wants it. */
  #attend(): void {
    this.#sayHowItStands()
    if (isPaused() || document.hidden || this.#isEnded) this.#leave()
    else if (this.#source === undefined) this.#follow()
  }

  #sayHowItStands(): void {
    this.#say(isPaused() ? 'paused' : this.#failures === 0 ? 'on' : this.#lack)
  }

  #leave(): void {
    clearTimeout(this.#retry)
    clearTimeout(this.#silence)
    clearTimeout(this.#refresh)
    this.#refresh = undefined
    this.#source?.close()
    this.#source = undefined
  }

  #follow(): void {
    clearTimeout(this.#retry)
    const asked = new URLSearchParams(this.#topics.map((topic) => ['about', topic]))
    asked.set('since', this.#mark)
    const source = new EventSource(`/events?${asked}`)
    this.#source = source
    // A line may be silent without ever ending: then the browser says nothing of it.
    this.#silence = setTimeout(() => this.#lose(), longestSilence)
    source.addEventListener('open', () => {
      // What it was told of before it left.
      if (this.#isStale) this.#refreshSoon(0)
      else this.#isSound()
    })
    source.addEventListener('sure', () => this.#hear())
    source.addEventListener('changed', ({ lastEventId }) => {
      this.#hear()
      this.#mark = lastEventId
      this.#refreshSoon(0)
    })
    source.addEventListener('ended', ({ data }) => {
      this.#leave()
      if (data === 'session') this.#end()
      else this.#followAgain()
    })
    // Not by the browser's own means: those come back at once and for ever, and not at all after an answer such as 429.
    source.addEventListener('error', () => {
      // Closed by the browser itself it was refused by an answer, and not cut off.
      const isRefused = source.readyState === EventSource.CLOSED
      this.#lose(isRefused ? this.#lack : 'away')
      if (isRefused) void this.#askWhy(source.url)
    })
  }

  async #askWhy(url: string): Promise<void> {
    const reply = await fetch(url).catch(() => undefined)
    void reply?.body?.cancel()
    this.#lack = reply?.status === 429 ? 'full' : 'away'
    if (this.#source === undefined && this.#failures > 0) this.#sayHowItStands()
  }

  #hear(): void {
    if (!this.#isStale) this.#heardAt = Date.now()
    clearTimeout(this.#silence)
    this.#silence = setTimeout(() => this.#lose(), longestSilence)
  }

  #lose(lack: 'away' | 'full' = 'away'): void {
    this.#lack = lack
    this.#leave()
    this.#followAgain()
    this.#say(lack)
  }

  #isSound(): void {
    this.#failures = 0
    this.#heardAt = Date.now()
    this.#say('on')
  }

  #followAgain(): void {
    const wait = Math.min(longestWait, firstWait * 2 ** this.#failures)
    this.#failures += 1
    // Not all at once, after a restart.
    this.#retry = setTimeout(() => this.#attend(), wait * (0.5 + Math.random() / 2))
  }

  #refreshSoon(ms: number): void {
    this.#isStale = true
    if (this.#isRefreshing) return
    const wait = Math.max(ms, this.#restUntil - performance.now())
    clearTimeout(this.#refresh)
    this.#refresh = setTimeout(() => this.#look(), wait)
  }

  async #look(): Promise<void> {
    this.#isStale = false
    this.#isRefreshing = true
    const begunAt = performance.now()
    let again: number | undefined
    try {
      again = await refreshPage()
      if (this.#source !== undefined) this.#isSound()
    } catch (error) {
      if (error instanceof SignedOutError) this.#end()
      else this.#isStale = true
      if (this.#source !== undefined) this.#lose()
    }
    const took = performance.now() - begunAt
    const rest = Math.min(longestRest, Math.max(restAtLeast - took, took * restTimes))
    this.#restUntil = performance.now() + rest
    this.#isRefreshing = false
    if (this.#source === undefined) this.#isStale ||= again !== undefined
    else if (this.#isStale) this.#refreshSoon(0)
    else if (again !== undefined) this.#refreshSoon(again)
  }

  #end(): void {
    this.#isEnded = true
    this.#leave()
    this.#say('ended')
  }

  #say(state: LiveState): void {
    sayState(this.#place, this.#isEnded ? 'ended' : state, this.#heardAt)
  }
}
