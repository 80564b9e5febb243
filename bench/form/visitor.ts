import { randomUUID } from 'node:crypto'
import { ada, type Person } from '../../tests/journeys/ada.ts'

/** A new person each time, because the product treats a person's second enquiry differently. */
export const visitor = (): Person => ({ ...ada, email: `${randomUUID()}@example.com` })
