import type { MetricType } from 'web-vitals'
import { apiPrefix, attributionField } from '#contract/api-constants.ts'
import type { VisitReport } from '#contract/visit-report.ts'
import type { Area } from '#domain/area.ts'
import type { Field } from '#domain/enquiry/enquiry.ts'
import { type StepNumber, thankYouStep } from '#domain/enquiry/steps.ts'
import { whenIdle } from './draft.ts'
import { activityEvents } from './load-step-logic.ts'
import { findDeviceClass, readTabStorage, writeTabStorage } from './tab-storage.ts'

// This script measures the visit: how far the visitor comes in the form, never what the visitor enters. The script
// reports the whole visit so far whenever the visitor leaves a step or the page, so that a lost report changes nothing.
// The script loads when the browser is idle and shows nothing; the form doesn't need it.

type Report = { -readonly [Name in keyof VisitReport]: VisitReport[Name] }

const storageKey = 'visit'
const maxVisitMs = 24 * 3_600_000

const findForm = () => document.querySelector<HTMLFormElement>('#enquiry form')

const readControl = (name: string): string =>
  document.querySelector<HTMLInputElement>(`[name=${name}]`)?.value ?? ''

interface StoredVisit {
  /** Epoch milliseconds. */
  readonly beganAt: number
  readonly report: Report
}

function readStoredVisit(): StoredVisit | undefined {
  try {
    return JSON.parse(readTabStorage(storageKey) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

const makeRandomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

const makeVisit = (): StoredVisit => ({
  // The server fills in these fields if the visit began with a form that was posted without JavaScript.
  beganAt: Number(readControl('startedAt')) || performance.timeOrigin,
  report: {
    id: readControl('visit') || makeRandomId(),
    area: 'general',
    device: findDeviceClass(),
    openMs: 0,
    isStarted: false,
    step: 0,
    shown: [0, 0, 0, 0, 0],
    visibleMs: [0, 0, 0, 0, 0],
    refused: [],
  },
})

function measureVisit({ beganAt, report }: StoredVisit): void {
  const { shown, visibleMs } = report as { shown: number[]; visibleMs: number[] }
  /** When the step became visible, on the page's clock; undefined while the page is hidden. */
  let visibleSince: number | undefined = performance.now()

  const stopClock = () => {
    if (visibleSince === undefined) return
    visibleMs[report.step] = Math.round(
      (visibleMs[report.step] ?? 0) + performance.now() - visibleSince,
    )
    visibleSince = undefined
  }

  // The thank-you screen has no list of programs any more.
  const noteProgram = () => {
    const program = Number(readControl('desiredProgram'))
    if (program) report.program = program
  }

  const send = () => {
    report.openMs = Math.round(Math.max(0, Date.now() - beganAt))
    noteProgram()
    const touch = new URLSearchParams(readControl(attributionField).split(' ').at(-1))
    report.source = touch.get('utm_source') ?? touch.get('referrer') ?? report.source
    report.campaign = touch.get('utm_campaign') ?? report.campaign
    writeTabStorage(storageKey, JSON.stringify({ beganAt, report }))
    if (report.openMs < maxVisitMs) {
      navigator.sendBeacon(`${apiPrefix}/events`, JSON.stringify(report))
    }
  }

  const show = (step: StepNumber) => {
    stopClock()
    report.step = step
    shown[step] = (shown[step] ?? 0) + 1
    visibleSince = performance.now()
  }

  report.area = (document.body.dataset.area ?? 'general') as Area
  report.device = findDeviceClass()
  const step = Number(findForm()?.dataset.step ?? thankYouStep) as StepNumber
  // A step shown again by a reload counts once.
  if (step !== report.step || !shown[step]) show(step)

  document.addEventListener('enquiry:step', (event) => {
    const { step } = (event as CustomEvent<{ step: StepNumber }>).detail
    if (step === report.step) return
    show(step)
    send()
  })
  document.addEventListener('enquiry:refused', (event) => {
    const { refused } = (event as CustomEvent<{ refused: string[] }>).detail
    report.refused = [...new Set([...(report.refused ?? []), ...refused])]
  })
  const island = document.getElementById('enquiry')
  island?.addEventListener('input', () => {
    report.isStarted = true
    noteProgram()
  })
  island?.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) {
      report.field = target.name as Field
    }
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') {
      stopClock()
      send()
    } else visibleSince ??= performance.now()
  })
  // Safari may leave a page without making it hidden.
  addEventListener('pagehide', () => {
    if (visibleSince === undefined) return
    stopClock()
    send()
  })
  loadVitals(report)
}

/** Loads `web-vitals` for visitors who use the page: others would load it for nothing. */
function loadVitals(report: Report): void {
  let isLoading = false
  const load = async () => {
    if (isLoading) return
    isLoading = true
    const { onCLS, onINP, onLCP } = await import('web-vitals')
    const note = ({ name, value }: MetricType) => {
      if (name === 'LCP') report.lcp = Math.round(value)
      if (name === 'INP') report.inp = Math.round(value)
      if (name === 'CLS') report.cls = Math.round(value * 1000)
    }
    for (const observe of [onLCP, onINP, onCLS]) observe(note, { reportAllChanges: true })
  }
  const loadSoon = () => whenIdle(() => load().catch(() => undefined))
  for (const type of activityEvents) addEventListener(type, loadSoon, { once: true, passive: true })
}

const known = readStoredVisit()
// A visit that began on a thank-you screen is the reload of a page whose visit was measured without JavaScript.
if (known ?? findForm()) measureVisit(known ?? makeVisit())
