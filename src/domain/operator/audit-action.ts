/** The actions in the audit log, as the log stores them. */
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
  'added an affiliate',
  'changed an affiliate',
  'removed an affiliate',
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
  'tried the distributor',
  'imported returns',
  'added a cap',
  'changed a cap',
  'removed a cap',
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
  'added a webhook',
  'changed a webhook',
  'removed a webhook',
  'paused notifications',
  'resumed notifications',
  'tried a destination',
  'sent notifications again',
  'sent a test',
  'sent a test alert',
] as const

export type AuditAction = (typeof auditActions)[number]

/** Clearer labels for some audit actions. The stored names stay, because nobody changes entries of the audit log. */
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

/** Describes an audit action in plain words. Returns an action from a newer version unchanged. */
export const describeAuditAction = (action: string): string => labels[action] ?? action

/** Finds an action by its label or by its stored name. */
export const toAuditAction = (text: string): AuditAction | undefined =>
  auditActions.find((action) => action === text || describeAuditAction(action) === text)
