import type { FixedLeadFields } from '#domain/lead/distributor-lead.ts'
import type { RoleRule } from '#domain/operator/permissions.ts'
import type { SettingValues } from './setting-declarations.ts'

/** The configuration, read once at start and passed on in parts. Times are milliseconds; port 0 means any free port. */
export type Settings = ReturnType<typeof toSettings>
export type RateLimitSettings = Settings['rateLimits']
export type SingleSignOnSettings = NonNullable<Settings['console']['singleSignOn']>

export function toSettings(env: SettingValues) {
  return {
    host: env.HOST,
    port: env.PORT,
    role: env.ROLE,
    mode: env.APP_MODE,
    siteOrigin: env.SITE_ORIGIN ?? `http://127.0.0.1:${env.PORT}`,
    isSiteOriginSet: env.SITE_ORIGIN !== undefined,
    console: {
      host: env.CONSOLE_HOST,
      port: env.CONSOLE_PORT,
      /** If undefined, the console's origin is loopback with the port that it listens on. */
      origin: env.CONSOLE_ORIGIN,
      /** If undefined, operators sign in with passkeys and passwords only. */
      singleSignOn: toSingleSignOn(env),
    },
    trustedProxies: env.TRUSTED_PROXIES,
    assetsDir: env.ASSETS_DIR,
    rateLimits: {
      leadsPerNetwork: env.LEADS_PER_NETWORK,
      lookupsPerNetwork: env.LOOKUPS_PER_NETWORK,
      isProduction: env.APP_MODE === 'production',
    },
    sandboxPort: env.SANDBOX_PORT,
    store: { dataDir: env.DATA_DIR, databaseUrl: env.DATABASE_URL, zone: env.SCHOOL_TIME_ZONE },
    addressCheck: env.ADDRESS_CHECK,
    /** An undefined URL stands for the sandbox, whose port is unknown until the sandbox listens. */
    thirdParties: {
      distributorUrl: env.DISTRIBUTOR_URL,
      distributorEncoding: env.DISTRIBUTOR_ENCODING,
      addressValidationUrl: env.ADDRESS_VALIDATION_URL,
      geocodingUrl: env.GEOCODING_URL,
      googleMapsApiKey: env.GOOGLE_MAPS_API_KEY,
      /** If empty, the server sends leads with the IP address that it sees. */
      ipLookupUrl: env.IP_LOOKUP_URL,
      pixels: {
        healthcare: env.PIXEL_URL_HEALTHCARE,
        technology: env.PIXEL_URL_TECHNOLOGY,
        default: env.PIXEL_URL_DEFAULT,
      },
    },
    campaign: {
      campaignCode: env.CAMPAIGN_CODE,
      signupUrl: env.SIGNUP_URL ?? (env.SITE_ORIGIN && `${env.SITE_ORIGIN}/`),
      trustedFormUrl: env.TRUSTED_FORM_URL,
      sentStartDateId: env.START_DATE_ID,
      selfDirectedRatingId: env.SELF_DIRECTED_RATING_ID,
      timeToCommitId: env.TIME_TO_COMMIT_ID,
    } satisfies FixedLeadFields,
    fallbackIp: env.FALLBACK_IP,
    alertWebhookUrl: env.ALERT_WEBHOOK_URL,
    alertWebhookFormat: env.ALERT_WEBHOOK_FORMAT,
    affiliateParam: env.AFFILIATE_PARAM,
    clickIdParam: env.CLICK_ID_PARAM,
    /** If undefined, the site has neither /conversions.csv nor /conversion-adjustments.csv. */
    conversionsPassword: env.CONVERSIONS_PASSWORD,
    names: {
      school: env.SCHOOL_NAME,
      operator: env.OPERATOR_NAME,
      privacyEmail: env.PRIVACY_EMAIL,
      unsubscribeUrl: env.UNSUBSCRIBE_URL,
      retentionDays: env.RETENTION_DAYS,
    },
    delivery: {
      retrySchedule: env.DELIVERY_RETRY_SCHEDULE,
      timeout: env.DELIVERY_TIMEOUT,
      lease: env.DELIVERY_LEASE,
      concurrency: env.DELIVERY_CONCURRENCY,
      zone: env.SCHOOL_TIME_ZONE,
    },
    /**
     * How long a stopping process still accepts requests. Within 3 s, a proxy that checks readiness every second
     * notices the stop; without the delay, a rolling restart behind Caddy answered 150 of 2,550 requests with 502. On
     * SQLite the delay is useless, because no other process can take over.
     */
    drainDelay:
      env.DRAIN_DELAY ??
      (env.APP_MODE === 'production' && env.DATABASE_URL !== undefined ? 3000 : 0),
    logLevel: env.LOG_LEVEL,
  }
}

function toSingleSignOn(env: SettingValues) {
  const { CONSOLE_OIDC_ISSUER: issuer, CONSOLE_OIDC_CLIENT_ID: clientId } = env
  const clientSecret = env.CONSOLE_OIDC_CLIENT_SECRET
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined
  return {
    issuer,
    clientId,
    clientSecret,
    name: env.CONSOLE_OIDC_NAME,
    scopes: env.CONSOLE_OIDC_SCOPES,
    roles: {
      claim: env.CONSOLE_OIDC_ROLE_CLAIM,
      meaning: {
        viewer: env.CONSOLE_OIDC_VIEWER,
        operator: env.CONSOLE_OIDC_OPERATOR,
        admin: env.CONSOLE_OIDC_ADMIN,
      },
    } satisfies RoleRule,
    verifiedClaim: env.CONSOLE_OIDC_VERIFIED_CLAIM,
  }
}
