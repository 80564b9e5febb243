import { Idiomorph } from 'idiomorph'
import { localizeTimes } from './localize-times.ts'

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
  localizeTimes(next)
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
