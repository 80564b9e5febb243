import { durationUpTo, oneOf, wholeNumber } from '../value-rules.ts'
import type { Settings } from './setting.ts'

export const processSettings = {
  APP_MODE: {
    rule: oneOf(['demo', 'production']),
    byDefault: 'demo',
    means:
      'demo (a sandbox on this machine plays each third party that has no URL) or production (starts with real values only). Must be set if DISTRIBUTOR_URL is outside this machine or SITE_ORIGIN is public',
    example: 'production',
  },
  ROLE: {
    rule: oneOf(['web', 'worker', 'console', 'all']),
    byDefault: 'all',
    means: 'web (pages and own API), worker (delivery), console (for operators) or all',
  },
  DRAIN_DELAY: {
    // The whole stop takes less than ten seconds, this among it.
    rule: durationUpTo(3000),
    byDefault: '0s',
    // A proxy that asks every second whether we are ready has then asked twice before the door closes. At 0 a rolling
    // restart behind Caddy answered 150 of 2,550 requests with 502.
    inProduction: '3s',
    // On SQLite one server has the store: nobody can take over, and waiting is time in which enquiries are refused.
    inProductionWith: 'DATABASE_URL',
    means:
      'how long a process that stops still serves, so that a load balancer sees it leave and another takes over; at most 3s',
  },
  LOG_LEVEL: {
    rule: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    byDefault: 'info',
    means: 'trace, debug, info, warn, error, fatal or silent',
  },
  SANDBOX_PORT: {
    rule: wholeNumber(0, 65_535),
    byDefault: '4000',
    means: 'the port of demo mode’s sandbox, on loopback; 0 takes any free one',
    isForDemo: true,
  },
} as const satisfies Settings
