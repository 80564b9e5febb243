import { NoLongerAllowedError, refreshPage } from './refresh-page.ts'

/** Milliseconds between refreshes: at least `minRefreshIntervalMs` with an event stream, else `pollIntervalMs`. */
const minRefreshIntervalMs = 2000
const pollIntervalMs = 15_000

/** The wait after a refresh, as a multiple of the refresh's duration, so that slow pages are fetched less often. */
const restPerRefreshTime = 10

/** The server sends an event every second, so a connection that is silent for this long (in milliseconds) is dead. */
const maxSilenceMs = 8000
const reconnectDelayMs = 5000

const checkIntervalMs = 500

const texts = {
  on: '',
  slow: 'every 15 s',
  paused: 'paused',
  ended: 'you are signed out: reload the page',
}

/** Operators can pause live updates for all pages in their browser, because WCAG 2.2.2 requires it. */
const isLivePaused = (): boolean => localStorage.getItem('console-live') === 'off'

/** Keeps a visible page up to date, if the page has a switch for live updates. */
export function startLiveUpdates(): void {
  const switchElement = document.querySelector<HTMLElement>('[data-live-switch]')
  if (switchElement !== null) streamChanges(switchElement)
}

function streamChanges(switchElement: HTMLElement): void {
  let source: EventSource | undefined
  /** True once the current connection has delivered an event. */
  let isStreaming = false
  let heardAt = 0
  let reconnectAt = 0
  /** True if the stored data has changed since the page was fetched. */
  let isStale = false
  let isRefreshing = false
  let refreshedAt = performance.now()
  let refreshTookMs = 0
  /** When the page was last known to be up to date, in epoch milliseconds. */
  let upToDateAt = Date.now()
  let state: 'on' | 'slow' | 'away' = 'on'
  let isEnded = false

  const showState = () => {
    const shown = isEnded ? 'ended' : isLivePaused() ? 'paused' : state
    switchElement.dataset.state = shown
    switchElement.querySelector('button')?.setAttribute('aria-pressed', String(!isLivePaused()))
    const since = new Date(upToDateAt).toLocaleTimeString('en-US', { timeStyle: 'medium' })
    const text = shown === 'away' ? `no connection since ${since}: trying again` : texts[shown]
    const line = switchElement.querySelector('[data-live-state]')
    if (line && line.textContent !== text) line.textContent = text
  }

  const disconnect = () => {
    source?.close()
    source = undefined
    isStreaming = false
  }

  const reconnectLater = () => {
    if (isStreaming) state = 'away'
    else if (state === 'on') state = 'slow'
    disconnect()
    reconnectAt = performance.now() + reconnectDelayMs
  }

  const hear = () => {
    heardAt = performance.now()
    isStreaming = true
  }

  const connect = () => {
    source = new EventSource('/events')
    heardAt = performance.now()
    // After a reconnection, the first event is a change, because the page may have missed one.
    source.addEventListener('changed', () => {
      hear()
      isStale = true
    })
    source.addEventListener('same', () => {
      hear()
      if (isStale || isRefreshing) return
      upToDateAt = Date.now()
      state = 'on'
    })
    source.addEventListener('ended', () => {
      isEnded = true
    })
    // An `EventSource` by itself reconnects at once and forever, but never after the server refuses a connection.
    source.addEventListener('error', reconnectLater)
  }

  const refresh = async () => {
    isRefreshing = true
    isStale = false
    refreshedAt = performance.now()
    try {
      await refreshPage()
      upToDateAt = Date.now()
      state = isStreaming ? 'on' : 'slow'
    } catch (error) {
      isStale = true
      state = 'away'
      isEnded ||= error instanceof NoLongerAllowedError
    }
    refreshTookMs = performance.now() - refreshedAt
    isRefreshing = false
  }

  /** Whether the page needs a refresh and the last refresh is long enough ago. */
  const isRefreshDue = (): boolean => {
    // A refresh leaves rows unchanged while the pointer or the focus is in them.
    isStale ||= document.querySelector('[data-live-behind]:not(:hover, :focus-within)') !== null
    const again = document.querySelector<HTMLElement>('[data-live-again]')?.dataset.liveAgain
    const wanted = isStale ? 0 : Number(again ?? Number.POSITIVE_INFINITY)
    const rest = Math.max(minRefreshIntervalMs, refreshTookMs * restPerRefreshTime)
    const due = isStreaming ? Math.max(wanted, Math.min(rest, pollIntervalMs)) : pollIntervalMs
    return !isRefreshing && performance.now() - refreshedAt >= due
  }

  /** Runs twice a second. A paused or hidden page sends no requests. */
  const check = () => {
    const now = performance.now()
    if (isEnded || isLivePaused() || document.hidden) disconnect()
    else {
      if (source === undefined && now >= reconnectAt) connect()
      else if (source !== undefined && now - heardAt > maxSilenceMs) reconnectLater()
      if (isRefreshDue()) void refresh()
    }
    showState()
  }

  switchElement.querySelector('button')?.addEventListener('click', () => {
    localStorage.setItem('console-live', isLivePaused() ? 'on' : 'off')
    check()
  })
  document.addEventListener('visibilitychange', check)
  switchElement.hidden = false
  check()
  setInterval(check, checkIntervalMs)
}
