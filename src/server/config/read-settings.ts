import * as v from 'valibot'
import { contradictions } from './contradictions.ts'
import type { Setting } from './declared/setting.ts'
import { declarationOf, type Environment, type SettingName, settingNames } from './environment.ts'
import { misspeltNames } from './misspelt-names.ts'
import { productionFaults, type SettingFault } from './production-faults.ts'
import { readSecretFiles } from './secret-files.ts'
import type { Settings, SingleSignOnSettings, ThirdParties } from './settings.ts'

export type ReadSettings =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly faults: readonly string[] }

/**
 * Reads and checks the whole environment and the files that it names for secrets, and lists every fault at once. Values
 * are never quoted: they may be secret.
 */
export function readSettings(given: Readonly<Record<string, string | undefined>>): ReadSettings {
  const { variables, faults: fileFaults } = readSecretFiles(given)
  const faults = new Map(fileFaults)
  const read: Record<string, unknown> = {}
  const isProduction = variables.APP_MODE?.trim() === 'production'
  for (const name of settingNames) {
    const result = readOne(name, variables, isProduction)
    if ('value' in result) read[name] = result.value
    else if (!faults.has(name)) {
      const source = variables[name] === given[name] ? '' : ` (read from ${name}_FILE)`
      faults.set(name, `${name} ${result.fault}${source}`)
    }
  }
  const env = read as Environment
  const isModeChosen = (variables.APP_MODE?.trim() ?? '') !== ''
  const others = [
    ...(env.APP_MODE === 'production' ? productionFaults(env) : []),
    ...misspeltNames(Object.keys(given)),
    ...incompleteSsoFaults(env),
    ...contradictions(env, isModeChosen),
  ]
  for (const { name, message } of others)
    if (!faults.has(name)) faults.set(name, `${name} ${message}`)
  return faults.size > 0
    ? { ok: false, faults: [...faults.values()] }
    : { ok: true, settings: toSettings(env) }
}

const ofProvider = [
  'CONSOLE_OIDC_ISSUER',
  'CONSOLE_OIDC_CLIENT_ID',
  'CONSOLE_OIDC_CLIENT_SECRET',
] as const

/** Who set one of them means single sign-on, and would else wonder where its button is. */
function incompleteSsoFaults(env: Environment): SettingFault[] {
  const missing = ofProvider.filter((name) => env[name] === undefined)
  if (missing.length === ofProvider.length) return []
  return missing.map((name) => ({
    name,
    message: `is missing: single sign-on needs ${declarationOf(name).means}`,
  }))
}

function readOne(
  name: SettingName,
  variables: Readonly<Record<string, string | undefined>>,
  isProduction: boolean,
): { readonly value: unknown } | { readonly fault: string } {
  const { rule, byDefault, inDemo, mayBeEmpty, ...declared } = declarationOf(name)
  const given = variables[name]
  const isEmpty = given?.trim() === ''
  if (isEmpty && mayBeEmpty) return { value: '' }
  const inProduction = isProduction ? productionDefault(declared, variables) : undefined
  const otherwise = inProduction ?? byDefault ?? inDemo
  const text = given === undefined || isEmpty ? otherwise : given
  if (text === undefined) return { value: undefined }
  const result = v.safeParse(rule, text)
  if (result.success) return { value: result.output }
  return { fault: result.issues[0].message + (mayBeEmpty ? ', or empty to do without' : '') }
}

function productionDefault(
  { inProduction, inProductionWith }: Pick<Setting, 'inProduction' | 'inProductionWith'>,
  variables: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const isMet = inProductionWith === undefined || (variables[inProductionWith]?.trim() ?? '') !== ''
  return isMet ? inProduction : undefined
}

function toSettings(env: Environment): Settings {
  const siteOrigin = env.SITE_ORIGIN ?? `http://127.0.0.1:${env.PORT}`
  return {
    host: env.HOST,
    port: env.PORT,
    role: env.ROLE,
    mode: env.APP_MODE,
    siteOrigin,
    isSiteOriginSet: env.SITE_ORIGIN !== undefined,
    console: {
      host: env.CONSOLE_HOST,
      port: env.CONSOLE_PORT,
      origin: env.CONSOLE_ORIGIN,
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
    store: { dataDir: env.DATA_DIR, databaseUrl: env.DATABASE_URL },
    addressCheck: env.ADDRESS_CHECK,
    thirdParties: toThirdParties(env),
    campaign: {
      campaignCode: env.CAMPAIGN_CODE,
      signupUrl: env.SIGNUP_URL ?? (env.SITE_ORIGIN && `${env.SITE_ORIGIN}/`),
      trustedFormUrl: env.TRUSTED_FORM_URL,
      sentStartDateId: env.START_DATE_ID,
      selfDirectedRatingId: env.SELF_DIRECTED_RATING_ID,
      timeToCommitId: env.TIME_TO_COMMIT_ID,
    },
    fallbackIp: env.FALLBACK_IP,
    affiliateParam: env.AFFILIATE_PARAM,
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
    },
    drainDelay: env.DRAIN_DELAY,
    logLevel: env.LOG_LEVEL,
  }
}

function toSingleSignOn(env: Environment): SingleSignOnSettings | undefined {
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
    },
    verifiedClaim: env.CONSOLE_OIDC_VERIFIED_CLAIM,
  }
}

function toThirdParties(env: Environment): ThirdParties {
  return {
    distributorUrl: env.DISTRIBUTOR_URL,
    distributorEncoding: env.DISTRIBUTOR_ENCODING,
    addressValidationUrl: env.ADDRESS_VALIDATION_URL,
    geocodingUrl: env.GEOCODING_URL,
    googleMapsApiKey: env.GOOGLE_MAPS_API_KEY,
    ipLookupUrl: env.IP_LOOKUP_URL,
    pixels: {
      healthcare: env.PIXEL_URL_HEALTHCARE,
      technology: env.PIXEL_URL_TECHNOLOGY,
      default: env.PIXEL_URL_DEFAULT,
    },
  }
}
