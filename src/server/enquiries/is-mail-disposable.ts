import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'

/** 11,000 names, read when the first enquiry comes. */
let domains: ReadonlySet<string> | undefined

/** Whether the address is at a known disposable mail service, or at any host below one. */
export function isMailDisposable(email: string): boolean {
  domains ??= disposableEmailBlocklistSet()
  let domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  for (;;) {
    if (domains.has(domain)) return true
    const dot = domain.indexOf('.')
    if (dot === -1) return false
    domain = domain.slice(dot + 1)
  }
}
