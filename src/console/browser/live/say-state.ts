import { isPaused } from './pausing.ts'

export type LiveState = 'on' | 'paused' | 'away' | 'full' | 'ended'

const said: Readonly<Record<LiveState, string>> = {
  on: '',
  paused: 'paused',
  away: 'no connection since',
  full: 'not followed: four other windows are, close one',
  ended: 'you are signed out: load the page again',
}

/** @param heardAt up to then what stands on the page is known to hold; epoch milliseconds */
export function sayState(place: HTMLElement, state: LiveState, heardAt: number): void {
  place.dataset.state = state === 'full' ? 'away' : state
  place.querySelector('button')?.setAttribute('aria-pressed', String(!isPaused()))
  const words = place.querySelector('[data-live-said]')
  const text = state === 'away' ? `${said.away} ${timeOf(heardAt)}: trying again` : said[state]
  if (words && words.textContent !== text) words.textContent = text
}

const timeOf = (at: number): string =>
  new Date(at).toLocaleTimeString('en-US', { timeStyle: 'medium' })
