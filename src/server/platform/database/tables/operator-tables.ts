import type { ColumnType, Generated } from 'kysely'
import type { Role } from '#domain/operator/role.ts'
import type { AuditAction } from '#server/operators/audit/audit.ts'
import type { Actor } from '#server/operators/operator.ts'
import type { LinkPurpose } from '#server/operators/operator-links.ts'

/** The console's part of {@link import('./store-tables.ts').StoreTables}. What opens a door is kept as a hash. */
export interface OperatorTables {
  operators: {
    id: string
    email: string
    role: Role
    created_at: number
    disabled_at: number | null
  }
  operator_credentials: {
    /** A passkey's own id; of a password the operator's; see operator-identities.ts. */
    id: string
    operator_id: string
    kind: 'password' | 'passkey' | 'single sign-on'
    /** The password's hash, as a PHC string; the passkey's public key, base64url. */
    secret: string
    /** A passkey's signatures, as its authenticator counts them. */
    counter: Generated<number>
    created_at: number
    used_at: number | null
  }
  operator_links: {
    code_hash: string
    operator_id: string
    purpose: LinkPurpose
    expires_at: number
  }
  operator_sessions: {
    token_hash: string
    /** What lists show, and forms name. */
    id: string
    operator_id: string
    began_at: number
    seen_at: number
    strong_at: number
    network: string
    browser: string
  }
  /** Unused since 0.3.0, and emptied then. Migrations never drop a table. */
  kept_forms: {
    id_hash: string
    sealed: string
    expires_at: number
  }
  /** See guessKey: of each kind 65,536 at most. */
  sign_in_failures: {
    key: string
    count: number
    last_at: number
    free_at: number
  }
  /** Append-only, as is what came of each act. */
  audit: {
    id: string
    at: number
    via: Actor['kind']
    operator_id: string | null
    system_user: string | null
    network: string | null
    /** Another version knows others. */
    action: ColumnType<string, AuditAction, never>
    subject: string | null
    reason: string | null
  }
  audit_outcomes: {
    audit_id: string
    outcome: string
  }
}
