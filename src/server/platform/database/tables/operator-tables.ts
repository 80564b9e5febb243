import type { ColumnType, Generated } from 'kysely'
import type { AuditAction } from '#domain/operator/audit-action.ts'
import type { Role } from '#domain/operator/role.ts'

/** The console's part of {@link import('./store-tables.ts').StoreTables}. Secrets are stored as hashes. */
export interface OperatorTables {
  operators: {
    id: string
    email: string
    role: Role
    created_at: number
    disabled_at: number | null
  }
  operator_credentials: {
    /** A passkey's own id, a password's operator, or the hash of an identity: see credentials.ts. */
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
    purpose: 'invitation' | 'sign-in'
    expires_at: number
  }
  operator_sessions: {
    token_hash: string
    /** The id that pages show. */
    id: string
    operator_id: string
    began_at: number
    seen_at: number
    /** The last authentication: see lastAuthenticatedAt in sessions.ts. */
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
  /** At most 65,536 of each kind: see attemptKey. */
  sign_in_failures: {
    key: string
    count: number
    last_at: number
    free_at: number
  }
  /** Triggers refuse to change or remove rows here and in audit_outcomes. */
  audit: {
    id: string
    at: number
    via: 'console' | 'command line'
    operator_id: string | null
    system_user: string | null
    network: string | null
    /** Another release may know other actions. */
    action: ColumnType<string, AuditAction, never>
    subject: string | null
    reason: string | null
  }
  audit_outcomes: {
    audit_id: string
    outcome: string
  }
}
