import { NoLongerAllowedError, refreshPage } from './refresh-page.ts'

/** A page refreshes at most every `minRefreshIntervalMs` with an event stream, and every `pollIntervalMs` without one. */
const minRefreshIntervalMs = 2000
const pollIntervalMs = 15_000

/** A page waits this many times as long as its last refresh took, but at most `pollIntervalMs`. */
const waitPerRefreshTime = 10

/** The server sends an event every second. After this many milliseconds without an event, the page reconnects. */
const maxSilenceMs = 8000
const reconnectDelayMs = 5000

const checkIntervalMs = 500

const stateTexts = {
  on: '',
  slow: 'every 15 s',
  paused: 'paused',
  ended: 'you are signed out: reload the page',
}

/** Operators can pause live updates for all pages in their browser, as WCAG 2.2.2 requires. */
const isLivePaused = (): boolean => localStorage.getItem('console-live') === 'off'

/** Keeps the page up to date while it is visible. Does nothing on a page without the switch *Live updates*. */
export function startLiveUpdates(): void {
  const switchElement = document.querySelector<HTMLElement>('[data-live-switch]')
  if (switchElement === null) return
  let source: EventSource | undefined
  /** True once the current connection has delivered an event. */
  let isStreaming = false
  let lastEventAt = 0
  let reconnectAt = 0
  /** Whether the stored data has changed since the last refresh. */
  let isStale = false
  let isRefreshing = false
  let refreshedAt = performance.now()
  let refreshTookMs = 0
  /** The last time when the page was certainly up to date, in epoch milliseconds. */
  let upToDateAt = Date.now()
  let state: 'on' | 'slow' | 'away' = 'on'
  let isEnded = false

  const showState = () => {
    const shown = isEnded ? 'ended' : isLivePaused() ? 'paused' : state
    switchElement.dataset.state = shown
    switchElement.querySelector('button')?.setAttribute('aria-pressed', String(!isLivePaused()))
    const since = new Date(upToDateAt).toLocaleTimeString('en-US', { timeStyle: 'medium' })
    const text = shown === 'away' ? `no connection since ${since}: trying again` : stateTexts[shown]
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

  const noteEvent = () => {
    lastEventAt = performance.now()
    isStreaming = true
  }

  const connect = () => {
    source = new EventSource('/events')
    lastEventAt = performance.now()
    // The first event of a connection is `changed`, because the page may have missed a change.
    source.addEventListener('changed', () => {
      noteEvent()
      isStale = true
    })
    source.addEventListener('same', () => {
      noteEvent()
      if (isStale || isRefreshing) return
      upToDateAt = Date.now()
      state = 'on'
    })
    source.addEventListener('ended', () => {
      isEnded = true
    })
    // This script reconnects, because an `EventSource` never reconnects once the server has refused a connection.
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

  /** Whether the page needs a refresh and has waited long enough since the last refresh. */
  const isRefreshDue = (): boolean => {
    // A refresh skips rows that the operator is using, so the page is outdated once the operator leaves these rows.
    isStale ||= document.querySelector('[data-live-behind]:not(:hover, :focus-within)') !== null
    const again = document.querySelector<HTMLElement>('[data-live-again]')?.dataset.liveAgain
    const wantedWaitMs = isStale ? 0 : Number(again ?? Number.POSITIVE_INFINITY)
    const minWaitMs = Math.max(minRefreshIntervalMs, refreshTookMs * waitPerRefreshTime)
    const waitMs = isStreaming
      ? Math.max(wantedWaitMs, Math.min(minWaitMs, pollIntervalMs))
      : pollIntervalMs
    return !isRefreshing && performance.now() - refreshedAt >= waitMs
  }

  /** Connects or refreshes if necessary, twice a second. A paused or hidden page sends no requests. */
  const check = () => {
    const now = performance.now()
    if (isEnded || isLivePaused() || document.hidden) disconnect()
    else {
      if (source === undefined && now >= reconnectAt) connect()
      else if (source !== undefined && now - lastEventAt > maxSilenceMs) reconnectLater()
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
