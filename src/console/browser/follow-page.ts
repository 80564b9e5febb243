import { NoLongerAllowedError, refreshPage, reloadDelayIn } from './refresh-page.ts'
import { isPaused, togglePaused } from './remembered.ts'

/** Milliseconds between two refreshes: at least the first with the event stream, the second without it. */
const minRefreshIntervalMs = 2000
const pollIntervalMs = 15_000

/** After a refresh, the page waits this many times as long as the refresh took, so that slow pages are fetched less often. */
const restPerRefreshTime = 10

/** Milliseconds until the page reconnects to a lost event stream. The delay doubles after each failure, up to the maximum. */
const firstRetryDelayMs = 1000
const maxRetryDelayMs = 15_000

/** The server sends an event every second, so after this many milliseconds of silence the connection counts as dead. */
const maxSilenceMs = 8000

const texts = {
  on: '',
  slow: 'every 15 s',
  paused: 'paused',
  away: 'no connection since',
  ended: 'you are signed out: reload the page',
}

/** Keeps the page up to date while somebody looks at it, if the page has a switch for live updates. */
export function followPage(): void {
  const switchElement = document.querySelector<HTMLElement>('[data-live-switch]')
  if (switchElement !== null) follow(switchElement)
}

function follow(switchElement: HTMLElement): void {
  let source: EventSource | undefined
  let isStreaming = false
  let failedConnections = 0
  let isRefreshing = false
  /** True if the event stream has reported a change since the page was fetched. */
  let isStale = false
  let restUntil = performance.now() + minRefreshIntervalMs
  /** When the page was last known to be up to date, in epoch milliseconds. */
  let upToDateAt = Date.now()
  let isEnded = false
  const timers: Partial<Record<'retry' | 'silence' | 'refresh', ReturnType<typeof setTimeout>>> = {}

  const showState = (state: keyof typeof texts) => {
    switchElement.dataset.state = state
    switchElement.querySelector('button')?.setAttribute('aria-pressed', String(!isPaused()))
    const line = switchElement.querySelector('[data-live-state]')
    const since = new Date(upToDateAt).toLocaleTimeString('en-US', { timeStyle: 'medium' })
    const text = state === 'away' ? `${texts.away} ${since}: trying again` : texts[state]
    if (line && line.textContent !== text) line.textContent = text
  }

  /** Connects to the event stream while the page is visible, and disconnects when it is hidden. */
  const connectIfVisible = () => {
    if (isEnded) return
    if (isPaused() || document.hidden) {
      stopFollowing()
      showState(isPaused() ? 'paused' : 'on')
    } else if (source === undefined && timers.retry === undefined) {
      showState('on')
      connect()
    }
  }

  const disconnect = () => {
    clearTimeout(timers.silence)
    source?.close()
    source = undefined
    isStreaming = false
  }

  const stopFollowing = () => {
    disconnect()
    clearTimeout(timers.refresh)
    clearTimeout(timers.retry)
    timers.retry = undefined
    failedConnections = 0
  }

  const end = () => {
    isEnded = true
    stopFollowing()
    showState('ended')
  }

  const restartSilenceTimer = () => {
    clearTimeout(timers.silence)
    timers.silence = setTimeout(reconnectLater, maxSilenceMs)
  }

  const connect = () => {
    timers.retry = undefined
    source = new EventSource('/events')
    restartSilenceTimer()
    // After a reconnection, the first event counts as a change, because the page may have missed one.
    source.addEventListener('changed', () => {
      restartSilenceTimer()
      if (failedConnections > 0) restUntil = 0
      failedConnections = 0
      isStreaming = true
      refreshIn(0)
    })
    source.addEventListener('same', () => {
      restartSilenceTimer()
      if (isStale) return
      upToDateAt = Date.now()
      showState('on')
    })
    source.addEventListener('ended', end)
    // By itself, the browser would reconnect at once and forever, but never after the server has refused it.
    source.addEventListener('error', reconnectLater)
  }

  function reconnectLater(): void {
    if (isStreaming) showState('away')
    disconnect()
    const wait = Math.min(maxRetryDelayMs, firstRetryDelayMs * 2 ** failedConnections)
    failedConnections += 1
    // The delay is random, so that not all pages reconnect at once after the server restarts.
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
      upToDateAt = Date.now()
      if (!isPaused() && !isEnded) showState(isStreaming ? 'on' : 'slow')
    } catch (error) {
      isStale = true
      if (error instanceof NoLongerAllowedError) end()
      else if (!isPaused() && !isEnded) showState('away')
    }
    isRefreshing = false
    const took = performance.now() - beganAt
    const rest = isStreaming ? minRefreshIntervalMs : pollIntervalMs
    restUntil = beganAt + Math.min(Math.max(rest, took * restPerRefreshTime), pollIntervalMs)
    if (isPaused() || document.hidden || isEnded) return
    if (isStale || !isStreaming) refreshIn(0)
    else if (next !== undefined) refreshIn(next)
  }

  switchElement.querySelector('button')?.addEventListener('click', () => {
    togglePaused()
    connectIfVisible()
  })
  document.addEventListener('visibilitychange', connectIfVisible)
  // Another window may have toggled the switch, or the browser may show this page again from its back/forward cache.
  addEventListener('storage', connectIfVisible)
  addEventListener('pageshow', connectIfVisible)
  addEventListener('pagehide', stopFollowing)
  switchElement.hidden = false
  connectIfVisible()
  const again = reloadDelayIn(document)
  if (again !== undefined) refreshIn(again)
}
