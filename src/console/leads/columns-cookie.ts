import { getCookie, setCookie } from 'hono/cookie'
import type { ConsoleContext } from '#console/console-services.ts'
import { defaultColumns, type LeadColumn, leadColumnNames } from './lead-table.tsx'

const cookieName = 'console-columns'
const year = 365 * 24 * 60 * 60

/** Stores in a cookie which columns of `/leads` a browser shows. The cookie has no personal data. */
export const columnsCookie = {
  read: (c: ConsoleContext): readonly LeadColumn[] => {
    const kept = getCookie(c, cookieName)?.split('.')
    return kept === undefined ? defaultColumns : leadColumnNames.filter((one) => kept.includes(one))
  },
  /** Shows or hides a column. An unknown column changes nothing. */
  toggle: (c: ConsoleContext, column: string): void => {
    const shown = columnsCookie.read(c)
    const chosen = leadColumnNames.filter((one) => (one === column) !== shown.includes(one))
    setCookie(c, cookieName, chosen.join('.'), {
      path: '/leads',
      maxAge: year,
      httpOnly: true,
      sameSite: 'Lax',
    })
  },
}
