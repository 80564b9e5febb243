import type { Names } from '#content/disclosure.ts'
import type { CampaignSettings } from '#domain/lead/distributor-lead.ts'
import type { RoleRule } from '#domain/operator/role-by-claim.ts'

/** The whole configuration, read once at start and handed on in parts. Times are milliseconds. */
export interface Settings {
  readonly host: string
  /** 0 asks for any free port. */
  readonly port: number
  readonly role: 'web' | 'worker' | 'console' | 'all'
  readonly mode: 'demo' | 'production'
  /** SITE_ORIGIN, or this machine's address where it is not set. */
  readonly siteOrigin: string
  readonly isSiteOriginSet: boolean
  readonly console: ConsoleSettings
  /** Addresses and networks (CIDR) whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[]
  /** Where other releases have put their browser files. */
  readonly assetsDir: string | undefined
  readonly rateLimits: RateLimitSettings
  readonly sandboxPort: number
  readonly store: { readonly dataDir: string; readonly databaseUrl: string | undefined }
  readonly addressCheck: 'google' | 'offline'
  readonly thirdParties: ThirdParties
  readonly campaign: CampaignSettings
  readonly fallbackIp: string
  readonly affiliateParam: string
  readonly names: Names
  readonly delivery: DeliveryTimes
  /** How long a process that stops still serves. */
  readonly drainDelay: number
  readonly logLevel: string
}

export interface ConsoleSettings {
  readonly host: string
  /** 0 asks for any free port. */
  readonly port: number
  /** Undefined: loopback, at the port that it then listens on. */
  readonly origin: string | undefined
  /** Undefined: operators have passkeys and passwords alone. */
  readonly singleSignOn: SingleSignOnSettings | undefined
}

/** The OpenID Connect provider that operators sign in by, and what its words mean. */
export interface SingleSignOnSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** The name that operators use. */
  readonly name: string
  /** With spaces between. */
  readonly scopes: string
  readonly roles: RoleRule
  /** The claim that says that an email is the person's own. */
  readonly verifiedClaim: string
}

/** How much one network may do in ten minutes; 0: as much as it likes. */
export interface RateLimitSettings {
  readonly leadsPerNetwork: number
  readonly lookupsPerNetwork: number
  readonly isProduction: boolean
}

/** Where the third parties are. Undefined: the sandbox, which has its address only once it listens. */
export interface ThirdParties {
  readonly distributorUrl: string | undefined
  readonly distributorEncoding: 'json' | 'form'
  readonly addressValidationUrl: string | undefined
  readonly geocodingUrl: string | undefined
  readonly googleMapsApiKey: string
  /** Empty: the visitor's address as the server sees it is used. */
  readonly ipLookupUrl: string | undefined
  readonly pixels: {
    readonly healthcare: string | undefined
    readonly technology: string | undefined
    readonly default: string | undefined
  }
}

export interface DeliveryTimes {
  /** Waits between attempts. */
  readonly retrySchedule: readonly number[]
  readonly timeout: number
  readonly lease: number
  readonly concurrency: number
}
