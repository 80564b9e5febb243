import { randomUUID } from 'node:crypto'
import { ada, type Person } from '../../tests/journeys/ada.ts'

/** Someone new each time, as the same person's second enquiry takes another way. */
export const visitor = (): Person => ({ ...ada, email: `${randomUUID()}@example.com` })
