import { createRoot, hydrateRoot } from 'react-dom/client'
import { xsrfCookie } from '#contract/api-constants.ts'
import { type Answers, emptyAnswers, type Field } from '#domain/enquiry/answers.ts'
import { emptyEnquiry, thankYouStep } from '#domain/enquiry/enquiry.ts'
import {
  deleteDraft,
  hasTabSentEnquiry,
  parseDraft,
  readStoredDraft,
  runWhenIdle,
  saveDraft,
  setShownDisclosure,
} from './draft.ts'
import { EnquiryApp } from './enquiry-app.tsx'
import { listEditedControls, readAnswer } from './form-controls.ts'
import { type EnquiryProps, readHistoryEntry, withProgram } from './form-state.ts'
import { keepAttribution } from './keep-attribution.ts'
import { loadLazyFormParts } from './load-lazy-form-parts.ts'
import { readCookie } from './read-cookie.ts'

const formRoot = document.getElementById('enquiry')
const propsText = document.getElementById('enquiry-props')?.textContent

async function hydrateForm(island: HTMLElement, props: EnquiryProps): Promise<unknown> {
  setShownDisclosure(props.disclosure.id)
  const isNew = isNewPage()
  keepAttribution(isNew)
  // Without the XSRF cookie, our own API would refuse every call.
  if (!readCookie(xsrfCookie))
    throw new Error('no cookie was kept: cookies are off, or SITE_ORIGIN is https')
  let focused: EventTarget | null = document.activeElement
  island.addEventListener('focusin', ({ target }) => {
    focused = target
  })
  const before = { form: island.querySelector('form'), focused: () => focused }
  if (hasTabSentEnquiry() && !hasUserInput()) before.form?.reset()
  const { posted, wantedProgram } = props
  const postedEnquiry = isNew ? posted?.enquiry : undefined
  if (postedEnquiry?.step === thankYouStep) deleteDraft()
  else if (postedEnquiry) saveDraft(postedEnquiry)
  const received = posted || isNew ? undefined : readHistoryEntry()?.received
  const stored = received ? thankYouEnquiry : parseDraft(readStoredDraft())
  const draft = postedEnquiry ? undefined : stored
  if (!draft) {
    const lazyParts = posted && (await loadLazyFormParts())
    return hydrateRoot(island, <EnquiryApp {...props} lazyParts={lazyParts} before={before} />)
  }
  // The visitor's draft differs from the server's markup, so React renders the draft and does not hydrate the markup.
  const lazyParts = draft.step > 0 ? await loadLazyFormParts().catch(console.error) : undefined
  const step = lazyParts ? draft.step : 0
  const answers = { ...draft.answers, ...readTypedText(before.form, draft.answers) }
  const restored = { ...draft, step, answers }
  // If the visitor just followed a link to a program, that choice is newer than the draft's program.
  const enquiry = wantedProgram && isNew ? withProgram(restored, wantedProgram) : restored
  const shown = { enquiry, errors: {}, ...(step === thankYouStep ? received : {}) }
  const app = (
    <EnquiryApp {...props} posted={shown} lazyParts={lazyParts ?? undefined} before={before} />
  )
  return createRoot(island).render(app)
}

const thankYouEnquiry = { ...emptyEnquiry, step: thankYouStep }

/** Returns whether the page was opened anew. Draft and history state are newer than a reloaded or restored page. */
function isNewPage(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return navigation?.type === 'navigate'
}

/** Returns the text typed before hydration. On an untouched page, Firefox has restored texts older than the draft. */
function readTypedText(form: HTMLFormElement | null, restored: Answers): Partial<Answers> {
  if (!form) return {}
  const isUsersText = hasUserInput()
  const names = listEditedControls(form).map(({ name }) => name as Field)
  const typed = names.filter((name) => isUsersText || restored[name] === emptyAnswers[name])
  return Object.fromEntries(typed.map((name) => [name, readAnswer(form, name)]))
}

const hasUserInput = (): boolean => navigator.userActivation?.hasBeenActive ?? true

/** Loads the display font last on a phone, because the font would delay the form. */
async function showDisplayFont(): Promise<void> {
  await document.fonts.load('600 1em Display')
  document.documentElement.dataset.displayFont = ''
}

// After a failure, which is logged to the browser's console (section 8), the form works as without JavaScript.
if (formRoot && propsText)
  hydrateForm(formRoot, JSON.parse(propsText)).then(
    () =>
      runWhenIdle(() => {
        showDisplayFont().catch(() => undefined)
        import('./measure-visit.ts').catch(() => undefined)
      }),
    console.error,
  )
