import { againIn, NoLongerAllowedError, refreshPage } from './refresh-page.ts'
import { isPaused, togglePaused } from './remembered.ts'

/** Time between two refreshes, in milliseconds: with the stream, and without it. */
const minRefreshIntervalMs = 2000
const pollIntervalMs = 15_000

/** A slow page rests this many times as long as its last refresh took. */
const restPerTaken = 10

/** After a lost stream, in milliseconds: doubled each time, up to the longest. */
const firstRetryDelayMs = 1000
const maxRetryDelayMs = 15_000

/** The server sends an event every second. A connection can be dead without being closed; in milliseconds. */
const maxSilenceMs = 8000

const texts = {
  on: '',
  slow: 'every 15 s',
  paused: 'paused',
  away: 'no connection since',
  ended: 'you are signed out: reload the page',
}

/** Keeps the page up to date while somebody looks at it, if the page has the switch for it. */
export function followPage(): void {
  const place = document.querySelector<HTMLElement>('[data-live-switch]')
  if (place !== null) follow(place)
}

function follow(place: HTMLElement): void {
  let source: EventSource | undefined
  let isStreaming = false
  let losses = 0
  let isRefreshing = false
  /** The stream has reported a change since the page was fetched. */
  let isStale = false
  let restUntil = performance.now() + minRefreshIntervalMs
  /** The page was right at this time; epoch milliseconds. */
  let rightAt = Date.now()
  let isEnded = false
  const timers: Partial<Record<'retry' | 'silence' | 'refresh', ReturnType<typeof setTimeout>>> = {}

  const show = (state: keyof typeof texts) => {
    place.dataset.state = state
    place.querySelector('button')?.setAttribute('aria-pressed', String(!isPaused()))
    const line = place.querySelector('[data-live-state]')
    const since = new Date(rightAt).toLocaleTimeString('en-US', { timeStyle: 'medium' })
    const text = state === 'away' ? `${texts.away} ${since}: trying again` : texts[state]
    if (line && line.textContent !== text) line.textContent = text
  }

  /** Connects while the page is in view, and leaves when it is not. */
  const attend = () => {
    if (isEnded) return
    if (isPaused() || document.hidden) {
      leave()
      show(isPaused() ? 'paused' : 'on')
    } else if (source === undefined && timers.retry === undefined) {
      show('on')
      connect()
    }
  }

  const disconnect = () => {
    clearTimeout(timers.silence)
    source?.close()
    source = undefined
    isStreaming = false
  }

  const leave = () => {
    disconnect()
    clearTimeout(timers.refresh)
    clearTimeout(timers.retry)
    timers.retry = undefined
    losses = 0
  }

  const end = () => {
    isEnded = true
    leave()
    show('ended')
  }

  const hear = () => {
    clearTimeout(timers.silence)
    timers.silence = setTimeout(lose, maxSilenceMs)
  }

  const connect = () => {
    timers.retry = undefined
    source = new EventSource('/events')
    hear()
    // The first event reports a change: the page may have missed one since it was made.
    source.addEventListener('changed', () => {
      hear()
      if (losses > 0) restUntil = 0
      losses = 0
      isStreaming = true
      refreshIn(0)
    })
    source.addEventListener('same', () => {
      hear()
      if (isStale) return
      rightAt = Date.now()
      show('on')
    })
    source.addEventListener('ended', end)
    // The browser would reconnect at once and forever, and never after a refusal.
    source.addEventListener('error', lose)
  }

  function lose(): void {
    if (isStreaming) show('away')
    disconnect()
    const wait = Math.min(maxRetryDelayMs, firstRetryDelayMs * 2 ** losses)
    losses += 1
    // Random, so that after a restart all pages don't return at once.
    timers.retry = setTimeout(connect, wait * (0.5 + Math.random() / 2))
    refreshIn(0)
  }

  function refreshIn(ms: number): void {
    isStale ||= ms === 0
    if (isRefreshing) return
    clearTimeout(timers.refresh)
    timers.refresh = setTimeout(refreshNow, Math.max(ms, restUntil - performance.now()))
  }

  async function refreshNow(): Promise<void> {
    isStale = false
    isRefreshing = true
    const beganAt = performance.now()
    let next: number | undefined
    try {
      next = await refreshPage(() => refreshIn(0))
      rightAt = Date.now()
      if (!isPaused() && !isEnded) show(isStreaming ? 'on' : 'slow')
    } catch (error) {
      isStale = true
      if (error instanceof NoLongerAllowedError) end()
      else if (!isPaused() && !isEnded) show('away')
    }
    isRefreshing = false
    const took = performance.now() - beganAt
    const rest = isStreaming ? minRefreshIntervalMs : pollIntervalMs
    restUntil = beganAt + Math.min(Math.max(rest, took * restPerTaken), pollIntervalMs)
    if (isPaused() || document.hidden || isEnded) return
    if (isStale || !isStreaming) refreshIn(0)
    else if (next !== undefined) refreshIn(next)
  }

  place.querySelector('button')?.addEventListener('click', () => {
    togglePaused()
    attend()
  })
  document.addEventListener('visibilitychange', attend)
  // Another window has toggled the switch, or the browser shows this page again from its memory.
  addEventListener('storage', attend)
  addEventListener('pageshow', attend)
  addEventListener('pagehide', leave)
  place.hidden = false
  attend()
  const again = againIn(document)
  if (again !== undefined) refreshIn(again)
}
