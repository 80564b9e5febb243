import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { LeadPayload } from '#server/store/leads/lead-row.ts'

interface StoredLead {
  readonly id: string
  readonly idempotencyKey: string
  readonly payload: LeadPayload
}

/** Every lead of a person in a product's SQLite file. A lead is there before its visitor is thanked (ruling 10). */
export function storedLeads(dataDir: string, email: string): StoredLead[] {
  const db = new DatabaseSync(join(dataDir, 'leads.sqlite'), { readOnly: true })
  try {
    return db
      .prepare('select id, idempotency_key, payload from leads where email = ?')
      .all(email)
      .map(({ id, idempotency_key, payload }) => ({
        id: String(id),
        idempotencyKey: String(idempotency_key),
        payload: JSON.parse(String(payload)),
      }))
  } finally {
    db.close()
  }
}
