import { Idiomorph } from 'idiomorph'

/** A page asks the server at this interval, in milliseconds, whether stored data has changed. */
const checkIntervalMs = 1000

/** After an error, a page waits this many milliseconds before it asks again. */
const retryDelayMs = 4000

/** A page refreshes at most every `minRefreshIntervalMs`, and waits ten times as long as its last refresh took. */
const minRefreshIntervalMs = 2000
const waitPerRefreshTime = 10
const maxWaitMs = 15_000

const stateTexts = { on: '', paused: 'paused', ended: 'you are signed out: reload the page' }

/** Operators can pause live updates for all pages in their browser, as WCAG 2.2.2 requires. */
const isLivePaused = (): boolean => localStorage.getItem('console-live') === 'off'

/** Keeps the page up to date while it is visible. Does nothing on a page without the switch *Live updates*. */
export function startLiveUpdates(): void {
  const switchElement = document.querySelector<HTMLElement>('[data-live-switch]')
  if (switchElement === null) return
  /** The server's text about the stored data; it changes with the data, which may be newer than the page. */
  let changes: string | undefined
  /** Whether the stored data has changed since the last refresh. */
  let isStale = false
  let isChecking = false
  let nextCheckAt = 0
  let refreshedAt = performance.now()
  let refreshTookMs = 0
  /** The last time when the page was certainly up to date, in epoch milliseconds. */
  let upToDateAt = Date.now()
  let state: 'on' | 'away' | 'ended' = 'on'

  const showState = () => {
    const shown = state !== 'ended' && isLivePaused() ? 'paused' : state
    switchElement.dataset.state = shown
    switchElement.querySelector('button')?.setAttribute('aria-pressed', String(!isLivePaused()))
    const timeZone = switchElement.dataset.zone
    const since = new Date(upToDateAt).toLocaleTimeString('en-US', {
      timeStyle: 'medium',
      timeZone,
    })
    const text = shown === 'away' ? `no connection since ${since}: trying again` : stateTexts[shown]
    const line = switchElement.querySelector('[data-live-state]')
    if (line && line.textContent !== text) line.textContent = text
  }

  /** Whether the page needs a refresh and has waited long enough since the last refresh. */
  const isRefreshDue = (): boolean => {
    // A refresh skips rows that the operator is using, so the page is outdated once the operator leaves these rows.
    isStale ||= document.querySelector('[data-live-behind]:not(:hover, :focus-within)') !== null
    const again = document.querySelector<HTMLElement>('[data-live-again]')?.dataset.liveAgain
    const wantedWaitMs = isStale ? 0 : Number(again ?? Number.POSITIVE_INFINITY)
    const minWaitMs = Math.max(minRefreshIntervalMs, refreshTookMs * waitPerRefreshTime)
    const waitMs = Math.max(wantedWaitMs, Math.min(minWaitMs, maxWaitMs))
    return performance.now() - refreshedAt >= waitMs
  }

  const update = async () => {
    const latest = await (await fetchInBackground('/api/changes')).text()
    isStale ||= latest !== changes
    changes = latest
    if (isRefreshDue()) {
      refreshedAt = performance.now()
      await refreshPage()
      refreshTookMs = performance.now() - refreshedAt
      isStale = false
    }
    if (!isStale) upToDateAt = Date.now()
    state = 'on'
  }

  /** Checks for changes if it is time. A paused or hidden page sends no requests. */
  const check = async () => {
    const isIdle = state === 'ended' || isLivePaused() || document.hidden
    if (!isIdle && !isChecking && performance.now() >= nextCheckAt) {
      isChecking = true
      await update().catch((error: unknown) => {
        state = error instanceof NoLongerAllowedError ? 'ended' : 'away'
        nextCheckAt = performance.now() + retryDelayMs
      })
      isChecking = false
    }
    showState()
  }

  switchElement.querySelector('button')?.addEventListener('click', () => {
    localStorage.setItem('console-live', isLivePaused() ? 'on' : 'off')
    void check()
  })
  document.addEventListener('visibilitychange', check)
  switchElement.hidden = false
  void check()
  setInterval(check, checkIntervalMs)
}

/** A request gives up after this many milliseconds, because a silent connection would block live updates forever. */
const timeoutMs = 5000

/** Requests a page or a path of the API without keeping the session open. @throws NoLongerAllowedError */
export async function fetchInBackground(address: string): Promise<Response> {
  const headers = { 'x-console-live': 'refresh' }
  const reply = await fetch(address, { headers, signal: AbortSignal.timeout(timeoutMs) })
  const isRefused = reply.status >= 400 && reply.status < 500
  if (reply.redirected || isRefused) throw new NoLongerAllowedError()
  if (!reply.ok) throw new Error(`The console answered ${reply.status}`)
  return reply
}

/** Thrown when the session has ended or the operator may no longer see the page. */
export class NoLongerAllowedError extends Error {}

/** The selector of elements that no refresh changes: marked elements, and forms that the operator uses or has changed. */
const keptElements = '[data-live-keep], form:focus-within, form:has(:user-valid, :user-invalid)'

/**
 * Fetches the page again and morphs its `main` element, keeping focus, typed text, selections and open `details`. Rows
 * under the pointer or with the focus stay in place: the refresh marks them as outdated instead of updating them. With
 * `data-live-replace`, the server replaces even a kept element, such as the message "Job started" once the job is done.
 */
export async function refreshPage(): Promise<void> {
  const reply = await fetchInBackground(location.href)
  const fresh = new DOMParser().parseFromString(await reply.text(), 'text/html')
  const [shown, next] = [document.querySelector('main'), fresh.querySelector('main')]
  if (shown === null || next === null)
    throw new Error('The shown page or the reply has no main element')
  Idiomorph.morph(shown, next, {
    callbacks: {
      beforeNodeMorphed: (node, fresh) => {
        if (!(node instanceof Element)) return true
        if (fresh instanceof Element && fresh.matches('[data-live-replace]')) return true
        const isInUse = node.matches('[data-live-rows]:is(:hover, :focus-within)')
        if (isInUse) node.setAttribute('data-live-behind', '')
        return !isInUse && !node.matches(keptElements)
      },
      beforeNodeRemoved: (node) =>
        !(node instanceof Element) ||
        node.closest('[data-live-replace]') !== null ||
        !(
          node.matches(`:focus, :focus-within, ${keptElements}`) || node.querySelector(keptElements)
        ),
      beforeAttributeUpdated: (name, element) =>
        !(name === 'open' && element.matches('details, dialog')),
    },
  })
}
