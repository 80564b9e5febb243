import {
  durationsUpTo,
  httpUrl,
  oneOf,
  someDurationUpTo,
  text,
  wholeNumber,
} from '../value-rules.ts'
import type { Settings } from './setting.ts'

const minute = 60_000
const day = 24 * 60 * minute

export const distributorSettings = {
  DISTRIBUTOR_URL: {
    rule: httpUrl,
    isNeeded: true,
    mayBeSecret: true,
    means: 'the lead distributor’s incoming-leads address',
  },
  DISTRIBUTOR_ENCODING: {
    rule: oneOf(['json', 'form']),
    byDefault: 'json',
    means: 'how leads are sent: json or form, as the distributor reads them',
  },
  CAMPAIGN_CODE: {
    rule: text,
    inDemo: 'demo-campaign',
    means: 'the campaign code that your distributor gave you',
  },
  SIGNUP_URL: {
    rule: httpUrl,
    isNeeded: true,
    means: 'the address of the sign-up page as your distributor knows it; in demo mode the site',
  },
  TRUSTED_FORM_URL: {
    rule: httpUrl,
    inDemo: 'https://cert.trustedform.com/demo-certificate',
    means: 'the TrustedForm certificate link that leads are sent with',
  },
  START_DATE_ID: {
    rule: text,
    inDemo: 'demo-start-1-3-months',
    means: 'your distributor’s id of the start date "1-3 Months"',
  },
  SELF_DIRECTED_RATING_ID: {
    rule: text,
    inDemo: 'demo-self-directed-rating',
    means: 'your distributor’s id of the answer to self_directed_rating_wgu',
  },
  TIME_TO_COMMIT_ID: {
    rule: text,
    inDemo: 'demo-time-to-commit',
    means: 'your distributor’s id of the answer to time_to_commit_to_education_wgu',
  },
  DELIVERY_RETRY_SCHEDULE: {
    rule: durationsUpTo(30 * day),
    byDefault: '5s,30s,5m,30m,2h,5h,10h,10h',
    means: 'the waits between delivery tries; after the last the delivery is dead',
  },
  DELIVERY_TIMEOUT: {
    rule: someDurationUpTo(10 * minute),
    byDefault: '15s',
    means: 'how long one delivery attempt may take; at most 10m',
  },
  DELIVERY_LEASE: {
    rule: someDurationUpTo(day),
    byDefault: '60s',
    means:
      'how long a worker keeps a delivery to itself; after a crash, another worker takes over then. Longer than DELIVERY_TIMEOUT, with a margin',
  },
  DELIVERY_CONCURRENCY: {
    rule: wholeNumber(1, 1000),
    byDefault: '8',
    means: 'how many deliveries a worker makes at once',
  },
} as const satisfies Settings
