import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { LeadPayload } from '#server/leads/lead-payload.ts'

interface StoredLead {
  readonly id: string
  readonly idempotencyKey: string
  readonly corrects: string | null
  readonly payload: LeadPayload
}

/**
 * All leads of a person in a product's SQLite file, oldest first. A lead is stored before its visitor is thanked
 * (reading 10).
 */
export function storedLeads(dataDir: string, email: string): StoredLead[] {
  const db = new DatabaseSync(join(dataDir, 'leads.sqlite'), { readOnly: true })
  try {
    return db
      .prepare(
        'select id, idempotency_key, corrects, payload from leads where email = ? order by received_at, id',
      )
      .all(email)
      .map(({ id, idempotency_key, corrects, payload }) => ({
        id: String(id),
        idempotencyKey: String(idempotency_key),
        corrects: corrects === null ? null : String(corrects),
        payload: JSON.parse(String(payload)),
      }))
  } finally {
    db.close()
  }
}
