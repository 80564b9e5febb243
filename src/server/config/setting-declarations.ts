import * as v from 'valibot'
import { day, minute } from '#domain/durations.ts'
import { maxRetentionDays } from '#domain/lead/retention.ts'
import {
  baseUrlSchema,
  databaseUrlSchema,
  emailSchema,
  httpUrlSchema,
  issuerSchema,
  listSchema,
  makeDurationListSchema,
  makeDurationSchema,
  makeEnumSchema,
  makeIntegerSchema,
  makePositiveDurationSchema,
  networksSchema,
  originSchema,
  paramNameSchema,
  textSchema,
  timeZoneSchema,
} from './value-schemas.ts'

/** Declares one environment variable. Every list of settings is generated from these declarations. */
export interface SettingDeclaration {
  /** Checks and parses the variable's text. */
  readonly rule: v.GenericSchema<string, unknown>
  /** The meaning of the setting, for `--help` and for the error that says "set it to …". */
  readonly means: string
  /** The default, as an operator would write it. */
  readonly byDefault?: string
  /** The default in production, if it differs from `byDefault`. */
  readonly inProduction?: string
  /** The default in demo mode. Production requires the operator's own value, and refuses the demo value (reading 6). */
  readonly inDemo?: string
  /** Production does not start without this setting. */
  readonly isNeeded?: true
  /** An empty value switches the feature off; without this flag, an empty value counts as unset. */
  readonly mayBeEmpty?: true
  /** The value may be or contain a secret, so NAME_FILE may name a file that contains the value. */
  readonly mayBeSecret?: true
  /** Production never reads this setting. */
  readonly isForDemo?: true
  /** Under systemd this setting belongs in store.env, which the operator's commands also read. */
  readonly isOfStore?: true
  /** The value in deploy/production.env.example, if it is not the default. */
  readonly example?: string
}

const pixel = { rule: httpUrlSchema, isNeeded: true, mayBeEmpty: true } as const

/** The settings by subject, in the order in which an operator needs them. */
export const settingGroups = {
  'The process': {
    APP_MODE: {
      rule: makeEnumSchema(['demo', 'production']),
      byDefault: 'demo',
      means:
        'demo (a sandbox on this machine simulates each third party whose URL is not set) or production (the server refuses to start with missing or demo values). Must be set if DISTRIBUTOR_URL is outside this machine or SITE_ORIGIN is public',
      example: 'production',
    },
    ROLE: {
      rule: makeEnumSchema(['web', 'worker', 'console', 'all']),
      byDefault: 'all',
      means: 'web (pages and own API), worker (delivery), console (for operators) or all',
    },
    DRAIN_DELAY: {
      // A process stops in less than ten seconds, including this delay.
      rule: makeDurationSchema(3000),
      means:
        'how long a stopping process still accepts requests, so that a load balancer can switch to another process: at most 3s; by default 3s in production with DATABASE_URL, otherwise 0s',
    },
    LOG_LEVEL: {
      rule: makeEnumSchema(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
      byDefault: 'info',
      means: 'trace, debug, info, warn, error, fatal or silent',
    },
    SANDBOX_PORT: {
      rule: makeIntegerSchema(0, 65_535),
      byDefault: '4000',
      means: 'the port of demo mode’s sandbox, on loopback; 0 means any free port',
      isForDemo: true,
    },
  },
  'The site': {
    PORT: {
      rule: makeIntegerSchema(0, 65_535),
      byDefault: '3000',
      means: 'the port that the site listens on; 0 means any free port',
    },
    HOST: {
      rule: textSchema,
      byDefault: '127.0.0.1',
      means: 'the IP address or host name that the site listens on',
    },
    SITE_ORIGIN: {
      rule: originSchema,
      isNeeded: true,
      means: 'the origin that visitors reach the site at, like https://www.example.edu',
    },
    TRUSTED_PROXIES: {
      rule: networksSchema,
      byDefault: '',
      means: 'proxies whose X-Forwarded-For is trusted: IP addresses or networks, with commas',
      // The example trusts a proxy on the same machine.
      example: '127.0.0.1,::1',
    },
    ASSETS_DIR: {
      rule: textSchema,
      means:
        'a folder with the scripts and pictures of each release (deploy/publish-assets.mjs), from which the site serves files that pages of other releases request; the site only reads it',
    },
    // Many students share one IPv4 address on a campus or with a mobile carrier.
    LEADS_PER_NETWORK: {
      rule: makeIntegerSchema(0, 1_000_000),
      byDefault: '200',
      means: 'how many enquiries one network may send in ten minutes; 0 sets no limit',
    },
    LOOKUPS_PER_NETWORK: {
      rule: makeIntegerSchema(0, 1_000_000),
      byDefault: '120',
      means: 'how many address lookups one network may cause in ten minutes; 0 sets no limit',
    },
    AFFILIATE_PARAM: {
      rule: paramNameSchema,
      byDefault: 'affid',
      means: 'the query parameter with the affiliate’s id, regardless of upper or lower case',
    },
    CLICK_ID_PARAM: {
      rule: paramNameSchema,
      byDefault: 'click_id',
      means:
        'the query parameter with the affiliate’s own id of a click, regardless of upper or lower case',
    },
    CONVERSIONS_PASSWORD: {
      rule: v.pipe(textSchema, v.minLength(16, 'must have at least 16 characters')),
      mayBeSecret: true,
      means:
        'the password of /conversions.csv and /conversion-adjustments.csv; ad platforms sign in with the user name “conversions”. Without a password, the site has no such files',
    },
  },
  'The console': {
    CONSOLE_PORT: {
      rule: makeIntegerSchema(0, 65_535),
      byDefault: '3001',
      means:
        'the port that the operator’s console listens on (ROLE=console or all); 0 means any free port',
    },
    CONSOLE_HOST: {
      rule: textSchema,
      byDefault: '127.0.0.1',
      means: 'the IP address or host name that the console listens on',
    },
    CONSOLE_ORIGIN: {
      rule: originSchema,
      means:
        'the origin that operators reach the console at, like https://console.example.edu; by default http://127.0.0.1 and CONSOLE_PORT',
    },
  },
  'Single sign-on for the console': {
    CONSOLE_OIDC_ISSUER: {
      rule: issuerSchema,
      means:
        'the issuer of the OpenID Connect provider for operators, as the provider itself names it, like https://login.example.edu/realms/staff; without an issuer, operators sign in with passkeys and passwords only',
    },
    CONSOLE_OIDC_CLIENT_ID: {
      rule: textSchema,
      means: 'the client’s id at the provider',
    },
    CONSOLE_OIDC_CLIENT_SECRET: {
      rule: textSchema,
      means: 'the client’s secret at the provider',
      mayBeSecret: true,
    },
    CONSOLE_OIDC_NAME: {
      rule: textSchema,
      byDefault: 'single sign-on',
      means: 'the provider’s name on the button “Sign in with …”',
    },
    CONSOLE_OIDC_SCOPES: {
      rule: textSchema,
      byDefault: 'openid email',
      means: 'the scopes to request, separated by spaces',
    },
    CONSOLE_OIDC_ROLE_CLAIM: {
      rule: textSchema,
      byDefault: 'roles',
      means:
        'the claim that contains a person’s roles; dots separate nested names: realm_access.roles',
    },
    CONSOLE_OIDC_VIEWER: {
      rule: listSchema,
      byDefault: 'viewer',
      means: 'the values of the role claim for a viewer, separated by commas',
    },
    CONSOLE_OIDC_OPERATOR: {
      rule: listSchema,
      byDefault: 'operator',
      means: 'the values of the role claim for an operator',
    },
    CONSOLE_OIDC_ADMIN: {
      rule: listSchema,
      byDefault: 'admin',
      means: 'the values of the role claim for an admin',
    },
    CONSOLE_OIDC_VERIFIED_CLAIM: {
      rule: textSchema,
      byDefault: 'email_verified',
      means: 'the claim that says whether an email address is verified; xms_edov for Entra ID',
    },
  },
  'The operator': {
    SCHOOL_NAME: {
      rule: textSchema,
      inDemo: 'Larkspur Online University',
      means: 'the school’s name as visitors read it',
    },
    SCHOOL_TIME_ZONE: {
      rule: timeZoneSchema,
      byDefault: 'America/New_York',
      means:
        'the school’s time zone, which decides every day, week and month of console, commands and caps',
    },
    OPERATOR_NAME: {
      rule: textSchema,
      inDemo: 'Larkspur Admissions Marketing',
      means: 'the name of the company that runs this site, for the legal pages',
    },
    PRIVACY_EMAIL: {
      rule: emailSchema,
      inDemo: 'privacy@example.com',
      means: 'the email address that privacy requests go to',
    },
    UNSUBSCRIBE_URL: {
      rule: httpUrlSchema,
      inDemo: 'https://www.example.com/unsubscribe',
      means: 'the URL of your unsubscribe form',
    },
  },
  'The leads': {
    DATA_DIR: {
      rule: textSchema,
      byDefault: './data',
      isOfStore: true,
      means: 'the folder of leads.sqlite, on a local disk',
    },
    DATABASE_URL: {
      rule: databaseUrlSchema,
      mayBeSecret: true,
      isOfStore: true,
      means:
        'the URL of a PostgreSQL database (postgres://…) for leads; without a URL, leads are stored in DATA_DIR',
    },
    RETENTION_DAYS: {
      rule: makeIntegerSchema(1, maxRetentionDays),
      isOfStore: true,
      means: 'how many days the store keeps a lead’s answers; without a number, forever',
    },
  },
  'The distributor': {
    DISTRIBUTOR_URL: {
      rule: httpUrlSchema,
      isNeeded: true,
      mayBeSecret: true,
      means: 'the URL to which the lead distributor wants leads to be sent',
    },
    DISTRIBUTOR_ENCODING: {
      rule: makeEnumSchema(['json', 'form']),
      byDefault: 'json',
      means: 'the encoding that the distributor reads: json or form',
    },
    CAMPAIGN_CODE: {
      rule: textSchema,
      inDemo: 'demo-campaign',
      means: 'the campaign code that your distributor gave you',
    },
    SIGNUP_URL: {
      rule: httpUrlSchema,
      isNeeded: true,
      means:
        'the sign-up page’s URL that each lead carries (`signup_url`): use the one that your distributor knows',
    },
    TRUSTED_FORM_URL: {
      rule: httpUrlSchema,
      inDemo: 'https://cert.trustedform.com/demo-certificate',
      means: 'the URL of the TrustedForm certificate that leads are sent with',
    },
    START_DATE_ID: {
      rule: textSchema,
      inDemo: 'demo-start-1-3-months',
      means: 'your distributor’s id of the start date "1-3 Months"',
    },
    SELF_DIRECTED_RATING_ID: {
      rule: textSchema,
      inDemo: 'demo-self-directed-rating',
      means: 'your distributor’s id of the answer to self_directed_rating_wgu',
    },
    TIME_TO_COMMIT_ID: {
      rule: textSchema,
      inDemo: 'demo-time-to-commit',
      means: 'your distributor’s id of the answer to time_to_commit_to_education_wgu',
    },
    ALERT_WEBHOOK_URL: {
      rule: httpUrlSchema,
      mayBeSecret: true,
      means:
        'the URL of a webhook of Slack, Teams or another chat; workers call it when a problem begins and ends',
    },
    ALERT_WEBHOOK_FORMAT: {
      rule: makeEnumSchema(['auto', 'text', 'teams']),
      byDefault: 'auto',
      means:
        'what ALERT_WEBHOOK_URL accepts: text ({"text": …}, as Slack does), teams (an Adaptive Card), or auto (teams if the host is *.logic.azure.com, *.powerplatform.com or *.webhook.office.com)',
    },
    DELIVERY_RETRY_SCHEDULE: {
      rule: makeDurationListSchema(30 * day),
      byDefault: '5s,30s,5m,30m,2h,5h,10h,10h',
      means: 'the waits between delivery attempts; after the last attempt the delivery is dead',
    },
    DELIVERY_TIMEOUT: {
      rule: makePositiveDurationSchema(10 * minute),
      byDefault: '15s',
      means: 'how long one delivery attempt may take; at most 10m',
    },
    DELIVERY_LEASE: {
      rule: makePositiveDurationSchema(day),
      byDefault: '60s',
      means:
        'how long a worker leases a delivery; after a crash, another worker takes over when the lease ends. Must be longer than DELIVERY_TIMEOUT; the error names the minimum',
    },
    DELIVERY_CONCURRENCY: {
      rule: makeIntegerSchema(1, 1000),
      byDefault: '8',
      means: 'how many deliveries a worker makes at once',
    },
  },
  'Lookups and pixels': {
    ADDRESS_CHECK: {
      // docs/address-check.md says what the offline check cannot detect.
      rule: makeEnumSchema(['google', 'offline']),
      byDefault: 'google',
      means: 'google, or offline (the product’s own ZIP data and street rules, without an account)',
    },
    ADDRESS_VALIDATION_URL: {
      rule: baseUrlSchema,
      inProduction: 'https://addressvalidation.googleapis.com',
      mayBeSecret: true,
      means: 'the base URL of Address Validation; in production Google’s by default',
    },
    GEOCODING_URL: {
      rule: baseUrlSchema,
      inProduction: 'https://maps.googleapis.com',
      mayBeSecret: true,
      means: 'the base URL of Geocoding; in production Google’s by default',
    },
    GOOGLE_MAPS_API_KEY: {
      rule: textSchema,
      // The sandbox accepts any key.
      inDemo: 'demo-key',
      mayBeSecret: true,
      means: 'the key of your Google Maps Platform account; ADDRESS_CHECK=offline needs none',
    },
    IP_LOOKUP_URL: {
      rule: httpUrlSchema,
      isNeeded: true,
      mayBeEmpty: true,
      mayBeSecret: true,
      means:
        'the IP lookup service’s URL, with {ip} for the visitor’s IP address; empty for no service',
    },
    FALLBACK_IP: {
      rule: v.pipe(textSchema, v.ip('must be an IP address')),
      byDefault: '127.0.0.1',
      means: 'the IP address that leads are sent with if the IP lookup service finds none',
    },
    PIXEL_URL_HEALTHCARE: {
      ...pixel,
      means: 'the healthcare thank-you page’s pixel URL, with {leadId} and {subId}; empty for none',
    },
    PIXEL_URL_TECHNOLOGY: {
      ...pixel,
      means: 'the technology thank-you page’s pixel URL; empty for none',
    },
    PIXEL_URL_DEFAULT: {
      ...pixel,
      means: 'the pixel URL of every other thank-you page; empty for none',
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, SettingDeclaration>>>>

export const settingDeclarations = {
  ...settingGroups['The process'],
  ...settingGroups['The site'],
  ...settingGroups['The console'],
  ...settingGroups['Single sign-on for the console'],
  ...settingGroups['The operator'],
  ...settingGroups['The leads'],
  ...settingGroups['The distributor'],
  ...settingGroups['Lookups and pixels'],
} as const

type Declared = typeof settingDeclarations

export type SettingName = keyof Declared

/** The parsed value of each setting; undefined only if the setting is unset and has no default. */
export type SettingValues = {
  readonly [Name in SettingName]:
    | v.InferOutput<Declared[Name]['rule']>
    | (Declared[Name] extends { readonly byDefault: string } | { readonly inDemo: string }
        ? never
        : undefined)
}

export const settingNames = Object.keys(settingDeclarations) as readonly SettingName[]

export const findDeclaration = (name: SettingName): SettingDeclaration => settingDeclarations[name]
