/** The actions that the audit log records, as stored and as `leads audit --action` accepts them. */
export const auditActions = [
  'signed in',
  'was guessed at',
  'was refused',
  'signed out',
  'ended a session',
  'was asked again',
  'set a password',
  'added a passkey',
  'removed a passkey',
  'linked single sign-on',
  'unlinked single sign-on',
  'added an operator',
  'changed a role',
  'disabled an operator',
  'enabled an operator',
  'made an invitation',
  'made a sign-in link',
  'revealed a lead',
  'searched for a person',
  'listed leads',
  'retried a delivery',
  'retried deliveries',
  'settled a delivery',
  'released a lead',
  'released leads',
  'took back a release',
  'paused deliveries',
  'resumed deliveries',
  'imported returns',
  'exported leads',
  'exported the audit',
  'erased a person',
  'erased old leads',
  'took a backup',
  'marked as restored',
  'planned a job',
  'started a job',
  'paused a job',
  'resumed a job',
  'cancelled a job',
  'ended a job',
] as const

export type AuditAction = (typeof auditActions)[number]

/** Friendlier labels for some audit actions, which can't be renamed, since stored entries never change. */
const labels: Readonly<Partial<Record<string, string>>> = {
  'was guessed at': 'had wrong passwords tried',
  'was refused': 'was refused at sign-in',
  'was asked again': 'confirmed their identity',
  'made an invitation': 'created an invitation',
  'made a sign-in link': 'created a sign-in link',
  'took back a release': 'undid a release',
  'exported the audit': 'exported the audit log',
  'erased a person': 'erased personal data',
  'marked as restored': 'marked the store as restored',
  'ended a job': 'finished a job',
}

/** Returns the action in plain words. An action that a newer release recorded is returned unchanged. */
export const describeAuditAction = (action: string): string => labels[action] ?? action
