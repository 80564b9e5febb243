import { writeTimes } from '../write-times.ts'
import { morph } from './morph.ts'
import { tellNews } from './tell-news.ts'
import { updateList } from './update-list.ts'

/** In milliseconds. */
const longestAnswer = 20_000

/** The session is over: what the page shows stays, and grows no more. */
export class SignedOutError extends Error {}

/**
 * Asks for the page anew and brings its named parts up to it.
 * @returns after how many milliseconds it is to be asked for once more, where what it says was counted a while ago
 */
export async function refreshPage(): Promise<number | undefined> {
  const reply = await fetch(location.href, {
    headers: { 'x-console-live': 'refresh' },
    // On a line that is silent it would wait for ever, and nothing would be asked for again.
    signal: AbortSignal.timeout(longestAnswer),
  })
  if (reply.redirected) throw new SignedOutError()
  if (!reply.ok) throw new Error(`answered ${reply.status}`)
  const fresh = new DOMParser().parseFromString(await reply.text(), 'text/html')
  writeTimes(fresh)
  for (const part of partsOf(document)) {
    const now = partsOf(fresh).find(({ dataset }) => dataset.live === part.dataset.live)
    if (now !== undefined) bringUp(part, now)
  }
  return againIn(fresh)
}

/** In how many milliseconds a page asks to be asked for once more; undefined where it does not. */
export function againIn(page: Document): number | undefined {
  const again = page.querySelector<HTMLElement>('[data-live-again]')?.dataset.liveAgain
  return again === undefined ? undefined : Number(again)
}

const partsOf = (page: Document) => [...page.querySelectorAll<HTMLElement>('[data-live]')]

/** What is held back while somebody points at it or is in it, by part. */
const held = new Map<HTMLElement, HTMLElement>()

function bringUp(part: HTMLElement, now: HTMLElement): void {
  if (part.dataset.liveKind === 'list') tellNews(part, updateList(part, now))
  else if (part.dataset.liveKind === 'rows' && isUnderHand(part)) holdBack(part, now)
  else morph(part, now)
}

/** Its rows move: not under the pointer, nor from under the focus. */
function holdBack(part: HTMLElement, now: HTMLElement): void {
  const isHeld = held.has(part)
  held.set(part, now)
  if (isHeld) return
  const whileHeld = new AbortController()
  const release = () => {
    const latest = held.get(part)
    if (latest === undefined || isUnderHand(part)) return
    whileHeld.abort()
    held.delete(part)
    morph(part, latest)
  }
  part.addEventListener('pointerleave', release, whileHeld)
  // The focus is elsewhere a moment after it has left.
  part.addEventListener('focusout', () => setTimeout(release), whileHeld)
}

const isUnderHand = (part: HTMLElement): boolean => part.matches(':hover, :focus-within')
