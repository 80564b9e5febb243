import { getCookie } from 'hono/cookie'
import { knownZone } from '#server/leads/figures/compared-days.ts'
import type { ConsoleContext } from './console-env.ts'

/** Where the operator is, as their browser's script has said; undefined before it has, and without one. */
export const zoneOf = (c: ConsoleContext): string | undefined =>
  knownZone(getCookie(c, 'console-zone'))
