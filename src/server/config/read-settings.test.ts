import { describe, expect, it } from 'vitest'
import { ownValues } from '#tests/product/own-values.ts'
import { readSettings } from './read-settings.ts'

const production = {
  APP_MODE: 'production',
  SITE_ORIGIN: 'https://enquiry.example.edu',
  DISTRIBUTOR_URL: 'https://tenant-post.example.net/incoming/leads',
  GOOGLE_MAPS_API_KEY: 'real-key',
  IP_LOOKUP_URL: '',
  ...ownValues,
  SIGNUP_URL: 'https://enquiry.example.edu/',
  PIXEL_URL_DEFAULT: 'https://pixel.example.net/p.gif?lead={leadId}',
}

const faultsOf = (variables: Record<string, string>) => {
  const read = readSettings(variables)
  return read.ok ? [] : read.faults
}

const settingsOf = (variables: Record<string, string>) => {
  const read = readSettings(variables)
  if (!read.ok) throw new Error(read.faults.join('\n'))
  return read.settings
}

describe('demo mode', () => {
  it('starts without settings, with the sandbox as every third party', () => {
    const settings = settingsOf({})
    expect(settings).toMatchObject({ mode: 'demo', port: 3000, host: '127.0.0.1', role: 'all' })
    expect(settings.siteOrigin).toBe('http://127.0.0.1:3000')
    expect(settings.thirdParties.distributorUrl).toBeUndefined()
    expect(settings.delivery.retrySchedule).toEqual(
      [5, 30, 300, 1800, 7200, 18_000, 36_000, 36_000].map((seconds) => seconds * 1000),
    )
  })

  it('reads an empty value as unset, unless the setting may be empty', () => {
    const settings = settingsOf({ PORT: '', DISTRIBUTOR_URL: ' ', IP_LOOKUP_URL: '' })
    expect(settings.port).toBe(3000)
    expect(settings.thirdParties.distributorUrl).toBeUndefined()
    expect(settings.thirdParties.ipLookupUrl).toBe('')
  })

  it.each<Record<string, string>>([
    { DISTRIBUTOR_URL: 'https://post.example.net/in' },
    { DISTRIBUTOR_URL: 'http://10.1.2.3/in' },
    { SITE_ORIGIN: 'https://www.example.edu' },
  ])('wants APP_MODE set with %o', (real) => {
    const [name = ''] = Object.keys(real)
    const fault = expect.stringMatching(
      new RegExp(`^APP_MODE must be set, because ${name} .*APP_MODE=production, or APP_MODE=demo`),
    )
    expect(faultsOf(real)).toEqual([fault])
    expect(faultsOf({ ...real, APP_MODE: ' ' })).toEqual([fault])
    expect(faultsOf({ ...real, APP_MODE: 'demo' })).toEqual([])
  })

  it.each<Record<string, string>>([
    { DISTRIBUTOR_URL: 'http://127.0.0.1:5000/in' },
    { SITE_ORIGIN: 'http://localhost:8080' },
    { SITE_ORIGIN: 'http://campus.local' },
  ])('needs no APP_MODE with %o', (onThisMachine) => {
    expect(faultsOf(onThisMachine)).toEqual([])
  })
})

describe('settings that contradict each other', () => {
  it('refuses one origin for site and console', () => {
    const SITE_ORIGIN = 'http://localhost:8080'
    expect(faultsOf({ SITE_ORIGIN, CONSOLE_ORIGIN: SITE_ORIGIN })).toEqual([
      'CONSOLE_ORIGIN is the same as SITE_ORIGIN: choose another origin',
    ])
  })

  it('refuses a lease that could end during an attempt, and says how long it must be', () => {
    const tooShort = (least: string) => [
      expect.stringContaining(
        `DELIVERY_LEASE is too short for DELIVERY_TIMEOUT: make it at least ${least},`,
      ),
    ]
    const short = { DELIVERY_LEASE: '5s', DELIVERY_TIMEOUT: '40s' }
    expect(faultsOf(short)).toEqual(tooShort('54s'))
    expect(faultsOf({ ...short, DELIVERY_LEASE: '54s' })).toEqual([])
    expect(faultsOf({ DELIVERY_LEASE: '15s' })).toEqual(tooShort('23s'))
    // Without an IP lookup before it, an attempt takes less time.
    expect(faultsOf({ ...short, DELIVERY_LEASE: '50s', IP_LOOKUP_URL: '' })).toEqual([])
  })

  it('keeps accepted delivery times unchanged', () => {
    const { delivery } = settingsOf({ DELIVERY_TIMEOUT: '40s', DELIVERY_LEASE: '60s' })
    expect(delivery).toMatchObject({ timeout: 40_000, lease: 60_000 })
  })

  it('refuses a time that no timer can wait for', () => {
    expect(faultsOf({ DELIVERY_TIMEOUT: '30d', DELIVERY_LEASE: '60d' })).toEqual([
      'DELIVERY_TIMEOUT must be at most 10m',
      'DELIVERY_LEASE must be at most 1d',
    ])
    expect(faultsOf({ DELIVERY_RETRY_SCHEDULE: '5s,1000000000d' })).toEqual([
      'DELIVERY_RETRY_SCHEDULE must be at most 30d',
    ])
    expect(faultsOf({ DELIVERY_RETRY_SCHEDULE: '5x' })).toEqual([
      'DELIVERY_RETRY_SCHEDULE must be durations separated by commas, like 5s,30s,5m',
    ])
  })
})

describe('the school’s time zone', () => {
  it('may be any zone, of half hours, too, and gets its usual name', () => {
    for (const zone of ['Asia/Kolkata', 'Australia/Lord_Howe', 'UTC', 'america/new_york']) {
      const { delivery, store } = settingsOf({ SCHOOL_TIME_ZONE: zone })
      expect(delivery.zone.toLowerCase()).toBe(zone.toLowerCase())
      expect(store.zone).toBe(delivery.zone)
    }
    expect(settingsOf({ SCHOOL_TIME_ZONE: 'america/new_york' }).delivery.zone).toBe(
      'America/New_York',
    )
  })

  it.each(['Mars/Olympus', 'New York', '5', '2026-11-27T00:00[America/New_York]'])(
    '%s is refused at the start',
    (zone) =>
      expect(faultsOf({ SCHOOL_TIME_ZONE: zone })).toEqual([
        'SCHOOL_TIME_ZONE must be a time zone, like America/Denver',
      ]),
  )
})

describe('faults', () => {
  it('lists all faults at once, each with the expected format and without the value', () => {
    const faults = faultsOf({
      PORT: 'eighty',
      ROLE: 'boss',
      SITE_ORIGIN: 'https://example.edu/landing',
      DATABASE_URL: 'mysql://user:secret@db/leads',
      TRUSTED_PROXIES: '10.0.0.0/8, proxy.example',
      DELIVERY_RETRY_SCHEDULE: '5s,soon',
      DISTRIBUTOR_URL: 'ftp://secret@example.net',
      PRIVACY_EMAIL: 'nobody',
      FALLBACK_IP: 'home',
      IP_LOOKUP_URL: 'https://user:secret@example.net/{ip}',
      DELIVERY_TIMEOT: '15s',
    })
    expect(faults.map((fault) => fault.split(' ')[0]).sort()).toEqual([
      'DATABASE_URL',
      'DELIVERY_RETRY_SCHEDULE',
      'DELIVERY_TIMEOT',
      'DISTRIBUTOR_URL',
      'FALLBACK_IP',
      'IP_LOOKUP_URL',
      'PORT',
      'PRIVACY_EMAIL',
      'ROLE',
      'SITE_ORIGIN',
      'TRUSTED_PROXIES',
    ])
    expect(faults.join()).not.toMatch(/secret|eighty|soon/)
    expect(faults).toContain('DELIVERY_TIMEOT is not a setting; did you mean DELIVERY_TIMEOUT?')
  })
})

describe('production', () => {
  it.each(['web', 'worker'])('accepts ROLE=%s only on a database that processes share', (ROLE) => {
    expect(faultsOf({ ...production, ROLE })).toEqual([
      expect.stringMatching(/^ROLE .*DATABASE_URL.*ROLE=all/),
    ])
    const DATABASE_URL = 'postgres://leads@db.example/leads'
    expect(faultsOf({ ...production, ROLE, DATABASE_URL })).toEqual([])
    expect(faultsOf({ ...production, ROLE: 'all' })).toEqual([])
  })

  it.each<Record<string, string>>([
    { CONSOLE_HOST: '0.0.0.0' },
    { CONSOLE_ORIGIN: 'http://console.example.edu' },
    { CONSOLE_ORIGIN: 'http://10.0.0.7:3001' },
    { CONSOLE_HOST: '10.0.0.7', CONSOLE_ORIGIN: 'http://localhost:3001' },
  ])('refuses a console on plain http outside this machine: %o', (console) => {
    expect(faultsOf({ ...production, ...console })).toEqual([
      expect.stringMatching(/^CONSOLE_ORIGIN must be https/),
    ])
    const https = { ...console, CONSOLE_ORIGIN: 'https://console.example.edu' }
    expect(faultsOf({ ...production, ...https })).toEqual([])
  })

  it('starts when everything is given', () => {
    const { thirdParties } = settingsOf(production)
    expect(thirdParties.addressValidationUrl).toBe('https://addressvalidation.googleapis.com')
    expect(thirdParties.geocodingUrl).toBe('https://maps.googleapis.com')
    expect(thirdParties.pixels.healthcare).toBe('')
  })

  it('drains for a moment if another process can take over, and otherwise stops at once', () => {
    const onPostgres = { ...production, DATABASE_URL: 'postgres://db.example/leads' }
    expect(settingsOf(onPostgres).drainDelay).toBe(3000)
    expect(settingsOf({ ...onPostgres, DRAIN_DELAY: '1s' }).drainDelay).toBe(1000)
    expect(settingsOf({ ...onPostgres, DATABASE_URL: ' ' }).drainDelay).toBe(0)
    expect(settingsOf(production).drainDelay).toBe(0)
    expect(settingsOf({ ...production, DRAIN_DELAY: '1s' }).drainDelay).toBe(1000)
    expect(settingsOf({}).drainDelay).toBe(0)
  })

  it('removes trailing slashes from base addresses', () => {
    const { siteOrigin, thirdParties } = settingsOf({
      ...production,
      SITE_ORIGIN: 'https://enquiry.example.edu//',
      ADDRESS_VALIDATION_URL: 'https://maps.example/validation/',
    })
    expect(siteOrigin).toBe('https://enquiry.example.edu')
    expect(thirdParties.addressValidationUrl).toBe('https://maps.example/validation')
  })

  it('lists missing settings together with invalid ones', () => {
    const faults = faultsOf({ APP_MODE: 'production', PORT: 'x' })
    const missing = Object.keys(production).filter((name) => name !== 'APP_MODE')
    const named = faults.map((fault) => fault.split(' ')[0])
    expect(named.sort()).toEqual([...missing, 'PORT'].sort())
  })

  it('says what each missing setting means', () => {
    for (const fault of faultsOf({ APP_MODE: 'production' })) {
      expect(fault).toMatch(/^[A-Z_]+ is missing.*: set it to \S+/)
    }
  })

  it('refuses the demo key', () => {
    const faults = faultsOf({ ...production, GOOGLE_MAPS_API_KEY: 'demo-key' })
    expect(faults).toEqual([expect.stringContaining('GOOGLE_MAPS_API_KEY is missing')])
  })

  it.each([
    ['http://tenant.example.net/incoming/leads', false],
    ['http://127.0.0.1:4000/incoming/leads', true],
    ['http://10.1.2.3/incoming/leads', true],
    ['http://distributor/incoming/leads', true],
    ['http://172.32.0.1/incoming/leads', false],
  ])('plain http to %s: accepted %s', (DISTRIBUTOR_URL, isAccepted) => {
    expect(faultsOf({ ...production, DISTRIBUTOR_URL }).length === 0).toBe(isAccepted)
  })

  it('needs no Google key if addresses are checked offline', () => {
    const { GOOGLE_MAPS_API_KEY: _, ...rest } = production
    expect(faultsOf(rest)).toHaveLength(1)
    expect(faultsOf({ ...rest, ADDRESS_CHECK: 'offline' })).toEqual([])
  })
})

describe('single sign-on', () => {
  const provider = {
    CONSOLE_OIDC_ISSUER: 'https://login.example.edu',
    CONSOLE_OIDC_CLIENT_ID: 'console',
    CONSOLE_OIDC_CLIENT_SECRET: 'open-sesame',
  }

  it('is on if its three settings are set, and off if none is set', () => {
    expect(settingsOf(provider).console.singleSignOn).toMatchObject({
      name: 'single sign-on',
      roles: { claim: 'roles', meaning: { admin: ['admin'] } },
    })
    expect(settingsOf({}).console.singleSignOn).toBeUndefined()
  })

  it.each(Object.entries(provider))(
    'with only %s is a fault that names the other settings',
    (name, value) => {
      const others = Object.keys(provider).filter((other) => other !== name)
      expect(faultsOf({ [name]: value })).toEqual(
        others.map((other) => expect.stringContaining(`${other} is missing`)),
      )
    },
  )

  it('takes several values for a role, and at least one', () => {
    const { roles } = settingsOf({ ...provider, CONSOLE_OIDC_ADMIN: ' /staff/it , boss' }).console
      .singleSignOn ?? { roles: undefined }
    expect(roles?.meaning.admin).toEqual(['/staff/it', 'boss'])
    expect(faultsOf({ ...provider, CONSOLE_OIDC_ADMIN: ' , ' })).toHaveLength(1)
  })

  it.each([
    ['https://login.example.edu/.well-known/openid-configuration', 'https://login.example.edu'],
    [' https://x.example/o/a/.well-known/openid-configuration/ ', 'https://x.example/o/a'],
    ['https://x.example/o/a/', 'https://x.example/o/a/'],
  ])('takes the issuer %s', (given, issuer) => {
    const { singleSignOn } = settingsOf({ ...provider, CONSOLE_OIDC_ISSUER: given }).console
    expect(singleSignOn?.issuer).toBe(issuer)
  })

  it('refuses to send a secret over plain http', () => {
    const plain = { ...provider, CONSOLE_OIDC_ISSUER: 'http://login.example.edu' }
    expect(faultsOf({ ...production, ...plain })).toEqual([
      expect.stringContaining('CONSOLE_OIDC_ISSUER must be https'),
    ])
  })
})

describe('TRUSTED_PROXIES', () => {
  const faultOf = (networks: string, mode = 'production') =>
    faultsOf({ APP_MODE: mode, TRUSTED_PROXIES: networks }).find((fault) =>
      fault.startsWith('TRUSTED_PROXIES'),
    )

  it.each(['0.0.0.0/0', '::/0', '10.0.0.1,0.0.0.0/1', '10.0.0.0/4', '2000::/3', '::ffff:0:0/96'])(
    'may not trust %s in production',
    (networks) => {
      expect(faultOf(networks)).toContain('every visitor could forge their IP address')
      expect(faultOf(networks, 'demo')).toBeUndefined()
    },
  )

  it.each([
    '10.0.0.0/8',
    '173.245.48.0/20, 2400:cb00::/32',
    '127.0.0.1,::1',
    'fd00::/8',
    'fc00::/7',
  ])('may trust %s', (networks) => expect(faultOf(networks)).toBeUndefined())
})
