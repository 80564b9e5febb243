import { Idiomorph } from 'idiomorph'
import { writeTimes } from './times.ts'

/** A refresh is given up after this many milliseconds, because a silent connection would block it forever. */
const timeout = 20_000

/** Thrown when the session has ended or the operator may no longer see the page. */
export class NoLongerAllowedError extends Error {}

/**
 * Requests this page again and morphs `main` into the reply. Focus, typed text, selections and open details stay. Rows
 * under the pointer or with the focus don't change, so that they don't move away.
 * @param onReleased called when the pointer or the focus leaves rows that this refresh left unchanged
 * @returns in how many milliseconds the page asks for the next refresh; undefined if it does not ask
 */
export async function refreshPage(onReleased: () => void): Promise<number | undefined> {
  const reply = await fetch(location.href, {
    headers: { 'x-console-live': 'refresh' },
    signal: AbortSignal.timeout(timeout),
  })
  if (reply.redirected || (reply.status >= 400 && reply.status < 500)) {
    throw new NoLongerAllowedError()
  }
  if (!reply.ok) throw new Error(`The console answered ${reply.status}`)
  const fresh = new DOMParser().parseFromString(await reply.text(), 'text/html')
  const [shown, next] = [document.querySelector('main'), fresh.querySelector('main')]
  if (shown === null || next === null) throw new Error('The reply has no main element')
  keepMessage(shown, next)
  writeTimes(next)
  morph(shown, next, onReleased)
  return reloadDelayIn(next)
}

/** The reply no longer has the result of a sent form. Without a copy in its place, morphing would move it to the end. */
function keepMessage(shown: Element, next: Element): void {
  const message = shown.querySelector('#message')
  if (message && !next.querySelector('#message')) {
    next.firstElementChild?.after(message.cloneNode(true))
  }
}

/** Returns in how many milliseconds the page asks to be refreshed; undefined if it does not ask. */
export function reloadDelayIn(page: ParentNode): number | undefined {
  const again = page.querySelector<HTMLElement>('[data-live-again]')?.dataset.liveAgain
  return again === undefined ? undefined : Number(again)
}

function morph(shown: Element, next: Element, onReleased: () => void): void {
  Idiomorph.morph(shown, next, {
    callbacks: {
      beforeNodeMorphed: (node) => {
        if (!(node instanceof Element)) return true
        if (node.matches('[data-live-keep]') || isFormInUse(node)) return false
        if (!node.matches('[data-live-rows]:is(:hover, :focus-within)')) return true
        callWhenReleased(node, onReleased)
        return false
      },
      beforeNodeRemoved: (node) =>
        !(node instanceof Element) ||
        !(
          node.matches('[data-live-keep]') ||
          node.contains(document.activeElement) ||
          [node, ...node.querySelectorAll('form')].some(isFormInUse)
        ),
      beforeAttributeUpdated: (name, element) =>
        !(name === 'open' && element.matches('details, dialog')),
    },
  })
}

const waiting = new WeakSet<Element>()

function callWhenReleased(rows: Element, onReleased: () => void): void {
  if (waiting.has(rows)) return
  waiting.add(rows)
  const done = new AbortController()
  const release = () => {
    if (rows.matches(':hover, :focus-within')) return
    done.abort()
    waiting.delete(rows)
    onReleased()
  }
  rows.addEventListener('pointerleave', release, done)
  // The timeout is needed because the next element receives the focus a moment after the rows lose it.
  rows.addEventListener('focusout', () => setTimeout(release), done)
}

/** Returns whether the form has the focus or contains typed text that is not sent yet. */
function isFormInUse(form: Element): boolean {
  if (!(form instanceof HTMLFormElement)) return false
  return form.contains(document.activeElement) || [...form.elements].some(isChanged)
}

function isChanged(control: Element): boolean {
  if (control instanceof HTMLSelectElement) {
    return [...control.options].some(
      ({ selected, defaultSelected }) => selected !== defaultSelected,
    )
  }
  if (control instanceof HTMLTextAreaElement) return control.value !== control.defaultValue
  if (!(control instanceof HTMLInputElement)) return false
  return control.value !== control.defaultValue || control.checked !== control.defaultChecked
}
