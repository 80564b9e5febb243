export interface AlertCase {
  readonly what: string
  /**
   * Values for each minute in Prometheus' own notation:
   * https://prometheus.io/docs/prometheus/latest/configuration/unit_testing_rules/#series
   */
  readonly series: Readonly<Record<string, string>>
  readonly at: string
  /** The labels of each alert that fires; empty if none does. */
  readonly fires: readonly Readonly<Record<string, string>>[]
  /** The interval of the series, if it is not a minute. */
  readonly interval?: string
}

const job = { job: 'campus-enquiry', instance: 'a' }
const up = (instance: string) => `up{job="campus-enquiry",instance="${instance}"}`
const fires = [{}]
const quiet: AlertCase['fires'] = []
const steady = '0+10x2100'

/** Cases for a gauge about the whole store: processes agree, and a process that has just started changes nothing. */
function storeGauge(
  gauge: string,
  [after, tooSoon]: readonly [string, string],
  of = '1x300',
): AlertCase[] {
  const series = (values: string) => ({
    [gauge.replace('INSTANCE', 'instance="a"')]: values,
    [gauge.replace('INSTANCE', 'instance="b"')]: values,
  })
  return [
    { what: 'as all processes say', series: series(of.replace('300', '700')), at: after, fires },
    {
      what: 'not long enough',
      series: series(of.replace('300', '700')),
      at: tooSoon,
      fires: quiet,
    },
    { what: 'all is well', series: series('0x700'), at: after, fires: quiet },
  ]
}

/** Cases for a counter. They include a process that has just started, because its counters begin at 0. */
function burst(counter: string, most: number, within: string): AlertCase[] {
  return [
    {
      what: 'a burst at a fresh process',
      series: { [counter]: `_x5 0 ${most * 2 + 2}x20` },
      at: '8m',
      fires,
    },
    {
      what: 'a burst after a restart, which begins again at 0',
      series: { [counter]: `5000x10 ${most * 2 + 2}x20` },
      at: '12m',
      fires,
    },
    { what: 'long ago', series: { [counter]: `0 ${most * 2 + 2}x400` }, at: within, fires: quiet },
    { what: 'a restart alone', series: { [counter]: '5000x10 0x20' }, at: '12m', fires: quiet },
  ]
}

const requests = (errors: string, others: string) => ({
  'http_responses_total{status="5xx"}': errors,
  'http_responses_total{status="2xx"}': others,
})
const due = (seconds: string) => ({
  'delivery_longest_due_seconds{instance="a"}': seconds,
  'delivery_paused{by="operator",instance="a"}': '0x300',
  'delivery_paused{by="refusal",instance="a"}': '0x300',
  'delivery_outage{instance="a"}': '0x300',
})
const attempts = (rejected: string, delivered: string) => ({
  'delivery_attempts_total{outcome="rejected",reason="none"}': rejected,
  'delivery_attempts_total{outcome="delivered",reason="none"}': delivered,
})
const stored = (upToOneSecond: string, all: string) => ({
  'leads_accept_duration_seconds_bucket{le="1"}': upToOneSecond,
  'leads_accept_duration_seconds_bucket{le="2.5"}': all,
  'leads_accept_duration_seconds_bucket{le="+Inf"}': all,
  leads_accept_duration_seconds_count: all,
})

/** A week of enquiries in steps of five minutes, with a number that depends on the hour, and then the given values. */
const weekThen = (then: string, repeated = '0x2200') => ({
  'leads_accepted_total{kind="new"}': `0+2x2016 ${then}`,
  'leads_accepted_total{kind="repeated"}': repeated,
  'leads_accepted_total{kind="duplicate"}': '0x2200',
})
const afterTheWeek = { at: '171h', interval: '5m' }

export const alertCases: Readonly<Record<string, readonly AlertCase[]>> = {
  ProcessDown: [
    {
      what: 'one of two is down',
      series: { [up('a')]: '1 0x9', [up('b')]: '1x10' },
      at: '3m',
      fires: [job],
    },
    { what: 'it restarts', series: { [up('a')]: '1 0 1x9' }, at: '1m', fires: quiet },
  ],
  NoProcessSeen: [
    { what: 'nothing is scraped', series: {}, at: '6m', fires: [{ job: 'campus-enquiry' }] },
    { what: 'one is, and is down', series: { [up('a')]: '0x10' }, at: '6m', fires: quiet },
  ],
  StoreAway: [
    {
      what: 'one process has lost it',
      series: { 'store_up{instance="a"}': '1 0x9', 'store_up{instance="b"}': '1x10' },
      at: '3m',
      fires: [{ instance: 'a' }],
    },
    { what: 'a moment', series: { 'store_up{instance="a"}': '1 0 1x9' }, at: '1m', fires: quiet },
  ],
  ClockWrong: [
    {
      what: 'one machine is behind',
      series: {
        'clock_ahead_seconds{instance="a"}': '0.1 -90x9',
        'clock_ahead_seconds{instance="b"}': '2x10',
      },
      at: '4m',
      fires: [{ instance: 'a' }],
    },
    {
      what: 'a moment',
      series: { 'clock_ahead_seconds{instance="a"}': '0 30 0x9' },
      at: '3m',
      fires: quiet,
    },
    {
      what: 'a little',
      series: { 'clock_ahead_seconds{instance="a"}': '-4x10' },
      at: '6m',
      fires: quiet,
    },
  ],
  EnquiriesNotStored: burst('leads_refused_total{reason="not-stored"}', 0, '7m'),
  TooManyAtOnce: burst('leads_refused_total{reason="busy"}', 10, '7m'),
  SlowToStore: [
    {
      what: 'one in twenty takes two seconds',
      series: stored('0+95x30', '0+100x30'),
      at: '20m',
      fires,
    },
    { what: 'one in a thousand', series: stored('0+999x30', '0+1000x30'), at: '20m', fires: quiet },
    {
      what: 'one now and then in the night',
      series: stored('0x30', '0x3 1x3 2x3 3x3 4x3 5x3 6x3'),
      at: '20m',
      fires: quiet,
    },
  ],
  ServerErrors: [
    { what: 'one in ten', series: requests('0+10x30', '0+90x30'), at: '10m', fires },
    {
      what: 'a burst at a fresh process',
      series: requests('_x5 0 30x20', '_x5 0 100x20'),
      at: '8m',
      fires,
    },
    {
      what: 'one in a thousand',
      series: requests('0+10x30', '0+9990x30'),
      at: '10m',
      fires: quiet,
    },
    {
      what: 'the only request of the night',
      series: requests('0 1x30', '0x30'),
      at: '10m',
      fires: quiet,
    },
  ],
  RefusedByDistributor: storeGauge('delivery_paused{by="refusal",INSTANCE}', ['4m', '1m']),
  LeadsRefusedAlone: burst('delivery_leads_refused_total', 5, '62m'),
  ForgottenPause: storeGauge('delivery_paused{by="operator",INSTANCE}', ['4h5m', '3h']),
  DistributorOutage: storeGauge('delivery_outage{INSTANCE}', ['16m', '14m']),
  LeadsWaitTooLong: [
    { what: 'nobody takes them', series: due('0+60x300'), at: '70m', fires },
    { what: 'not long enough', series: due('0+60x300'), at: '60m', fires: quiet },
    {
      what: 'weeks old, and retried a while ago',
      series: { ...due('0+60x300'), 'delivery_oldest_pending_seconds{instance="a"}': '2e6x300' },
      at: '50m',
      fires: quiet,
    },
    {
      what: 'paused, or in an outage: other alerts say so',
      series: { ...due('0+60x300'), 'delivery_outage{instance="b"}': '1x300' },
      at: '200m',
      fires: quiet,
    },
  ],
  LeadsDead: storeGauge('leads{status="dead",INSTANCE}', ['10m', '0m'], '0 3x300'),
  LeadUnreadable: storeGauge('delivery_unreadable{INSTANCE}', ['10m', '0m'], '0 1x300'),
  LeadsRejected: [
    { what: 'one in four', series: attempts('0+1x100', '0+3x100'), at: '70m', fires },
    {
      what: 'a burst at a fresh process',
      series: attempts('_x5 0 4x60', '_x5 0 6x60'),
      at: '8m',
      fires,
    },
    { what: 'one of 60,000', series: attempts('0x30 1x70', '0+1000x100'), at: '60m', fires: quiet },
    { what: 'one in ten', series: attempts('0+1x100', '0+9x100'), at: '70m', fires: quiet },
    {
      what: 'the only one of the night',
      series: attempts('0x30 1x70', '0x100'),
      at: '60m',
      fires: quiet,
    },
    {
      what: 'all of an outage, which rejects nobody',
      series: {
        ...attempts('0x100', '0x100'),
        'delivery_attempts_total{outcome="unreachable",reason="no-connection"}': steady,
      },
      at: '70m',
      fires: quiet,
    },
  ],
  MonthlyCapReached: [
    ...burst('delivery_attempts_total{outcome="rejected",reason="cap"}', 0, '62m'),
    {
      what: 'what was full last month, and waits still',
      series: {
        delivery_rejected_by_cap: '7x100',
        'delivery_attempts_total{outcome="rejected",reason="cap"}': '7x100',
      },
      at: '70m',
      fires: quiet,
    },
  ],
  LookupRefused: [
    {
      what: 'Google refuses the key',
      series: {
        'third_party_calls_total{service="geocoding",outcome="refused-key"}': '_x5 0 1x20',
        'third_party_calls_total{service="address-validation",outcome="refused-key"}': '_x5 0x20',
      },
      at: '8m',
      fires: [{ service: 'geocoding' }],
    },
    {
      what: 'others are busy or down',
      series: {
        'third_party_calls_total{service="geocoding",outcome="quota"}': steady,
        'third_party_calls_total{service="geocoding",outcome="down"}': steady,
        'third_party_calls_total{service="geocoding",outcome="refused-key"}': '0x100',
      },
      at: '20m',
      fires: quiet,
    },
  ],
  QuarantineWaits: storeGauge('leads{status="quarantined",INSTANCE}', ['8h30m', '7h']),
  EnquiriesByProgram: [
    ...burst('leads_accepted_total{kind="quarantined"}', 20, '62m'),
    {
      what: 'many that are no abuse',
      series: { 'leads_accepted_total{kind="new"}': steady },
      at: '70m',
      fires: quiet,
    },
  ],
  SomebodySendsTooMuch: [
    ...burst('requests_limited_total{what="lead"}', 20, '12m'),
    {
      what: 'a campus that proves its work',
      series: { 'requests_limited_total{what="challenge"}': steady },
      at: '20m',
      fires: quiet,
    },
  ],
  ManyReveals: burst('console_reveals_refused_total', 0, '62m'),
  RetentionDoesNotEnd: [
    {
      what: 'it never ended',
      series: { retention_ended_timestamp_seconds: '0x9000' },
      at: '61h',
      fires,
    },
    {
      what: 'one of two workers did, a day ago',
      series: {
        'retention_ended_timestamp_seconds{instance="a"}': '0x9000',
        'retention_ended_timestamp_seconds{instance="b"}': '129600x9000',
      },
      at: '61h',
      fires: quiet,
    },
    {
      what: 'a worker that has just begun',
      series: { retention_ended_timestamp_seconds: '_x3000 0x6000' },
      at: '61h',
      fires: quiet,
    },
    { what: 'none is asked for', series: { store_up: '1x9000' }, at: '61h', fires: quiet },
  ],
  NoEnquiries: [
    { what: 'they have ended', series: weekThen('4032x200'), fires, ...afterTheWeek },
    { what: 'a restart, and no lead since', series: weekThen('0x200'), fires, ...afterTheWeek },
    {
      what: 'a visitor whose browser repeats one',
      series: weekThen('4032x200', '0+1x2200'),
      fires,
      ...afterTheWeek,
    },
    { what: 'they come', series: weekThen('4032+2x200'), fires: quiet, ...afterTheWeek },
    {
      what: 'a restart, and they come',
      series: weekThen('0+2x200'),
      fires: quiet,
      ...afterTheWeek,
    },
    {
      what: 'nobody came at this hour a week ago',
      series: { 'leads_accepted_total{kind="new"}': '0x60 0+5x2000 10000x200' },
      at: '173h',
      interval: '5m',
      fires: quiet,
    },
    {
      what: 'the second day of a campaign',
      series: { 'leads_accepted_total{kind="new"}': '0+2x300 600x100' },
      at: '28h',
      interval: '5m',
      fires,
    },
  ],
}
