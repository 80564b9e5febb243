import { createRoot, hydrateRoot } from 'react-dom/client'
import { xsrfCookie } from '#contract/api-constants.ts'
import { type Answers, emptyAnswers, emptyEnquiry, type Field } from '#domain/enquiry/enquiry.ts'
import { thankYouStep } from '#domain/enquiry/steps.ts'
import {
  deleteDraft,
  hasSent,
  readDraft,
  readStoredDraft,
  saveDraft,
  whenIdle,
} from './enquiry/draft.ts'
import { EnquiryApp } from './enquiry/enquiry-app.tsx'
import { listEditedControls, readAnswer } from './enquiry/form-controls.ts'
import { type EnquiryProps, readHistoryEntry, setProgram } from './enquiry/form-state.ts'
import { keepAttribution } from './enquiry/keep-attribution.ts'
import { loadStepLogic } from './enquiry/load-step-logic.ts'
import { readCookie } from './enquiry/read-cookie.ts'

const formRoot = document.getElementById('enquiry')
const propsText = document.getElementById('enquiry-props')?.textContent

async function hydrateForm(island: HTMLElement, props: EnquiryProps): Promise<unknown> {
  const isVisit = isNewVisit()
  keepAttribution(isVisit)
  // Without the XSRF cookie, our own API would refuse every call.
  if (!readCookie(xsrfCookie))
    throw new Error('no cookie was kept: the browser refuses cookies, or SITE_ORIGIN is https here')
  let focused: EventTarget | null = document.activeElement
  island.addEventListener('focusin', ({ target }) => {
    focused = target
  })
  const before = { form: island.querySelector('form'), focused: () => focused }
  if (hasSent() && !hasUserInput()) before.form?.reset()
  const { posted, wantedProgram } = props
  const reply = posted && isVisit ? posted.enquiry : undefined
  if (reply?.step === thankYouStep) deleteDraft()
  else if (reply) saveDraft(reply)
  const received = posted || isVisit ? undefined : readHistoryEntry()?.received
  const draft = reply ? undefined : received ? thankYouEnquiry : readDraft(readStoredDraft())
  if (!draft) {
    const logic = posted && (await loadStepLogic())
    return hydrateRoot(island, <EnquiryApp {...props} logic={logic} before={before} />)
  }
  // The visitor's draft differs from the server's markup, so React renders the draft instead of hydrating.
  const logic = draft.step > 0 ? await loadStepLogic().catch(console.error) : undefined
  const step = logic ? draft.step : 0
  const answers = { ...draft.answers, ...readTypedText(before.form, draft.answers) }
  const restored = { ...draft, step, answers }
  // If the visitor just followed a link to a program, the link's program is newer than the draft's.
  const enquiry = wantedProgram && isVisit ? setProgram(restored, wantedProgram) : restored
  const shown = { enquiry, errors: {}, ...(step === thankYouStep ? received : {}) }
  const app = <EnquiryApp {...props} posted={shown} logic={logic ?? undefined} before={before} />
  return createRoot(island).render(app)
}

/** The enquiry for the thank-you screen, if the browser's history says that the page has sent an enquiry. */
const thankYouEnquiry = { ...emptyEnquiry, step: thankYouStep }

/**
 * Returns whether the page was newly opened, not reloaded or restored: a newly opened page is newer than the draft. A
 * visitor who enters the address of a sent form gets a new form, although the browser keeps the history state.
 */
function isNewVisit(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return navigation?.type === 'navigate'
}

/**
 * Returns the text typed into the server's form while the script was loading. Until the visitor touches the page, changed
 * values come from the browser: Firefox restores values from before a reload, so the draft is newer.
 */
function readTypedText(form: HTMLFormElement | null, restored: Answers): Partial<Answers> {
  if (!form) return {}
  const isUsersText = hasUserInput()
  const names = listEditedControls(form).map(({ name }) => name as Field)
  const typed = names.filter((name) => isUsersText || restored[name] === emptyAnswers[name])
  return Object.fromEntries(typed.map((name) => [name, readAnswer(form, name)]))
}

const hasUserInput = (): boolean => navigator.userActivation?.hasBeenActive ?? true

/** A phone loads the display font last: before the first paint it would delay the form. */
async function showDisplayFont(): Promise<void> {
  await document.fonts.load('600 1em Display')
  document.documentElement.dataset.displayFont = ''
}

// A startup failure is logged to the browser's console only; the form then works as without JavaScript.
if (formRoot && propsText)
  hydrateForm(formRoot, JSON.parse(propsText)).then(
    () =>
      whenIdle(() => {
        showDisplayFont().catch(() => undefined)
        import('./enquiry/measure-visit.ts').catch(() => undefined)
      }),
    console.error,
  )
