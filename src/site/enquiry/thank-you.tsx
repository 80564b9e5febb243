import { type MouseEvent, useEffect } from 'react'
import { thankYouTexts } from '#content/messages.ts'
import { type Area, areaPath } from '#domain/area.ts'
import { findProgram } from '#domain/catalogue/catalogue.ts'
import { type Answers, emptyAnswers } from '#domain/enquiry/answers.ts'
import { type Enquiry, emptyEnquiry } from '#domain/enquiry/enquiry.ts'
import { toReference } from '#domain/lead/reference.ts'
import { headingDescriptionId, StepHeading } from './enquiry-form.tsx'
import { dispatch } from './form-reducer.ts'
import type { EnquiryProps, FormState, LiveForm } from './form-state.ts'
import { readTabStorage, writeTabStorage } from './tab-storage.ts'
import styles from './thank-you.module.css'

/** Under this key, the tab's storage keeps the id of the last lead whose pixel was loaded. */
const countedKey = 'enquiry-counted'

/** Loads the tracking pixel once per lead, because a reload of the thank-you screen is no second lead. */
function loadPixel(url: string, leadId: string): void {
  if (readTabStorage(countedKey) === leadId) return
  writeTabStorage(countedKey, leadId)
  new Image().src = url
}

/** Starts another enquiry of the same person. The visitor chooses program, education and consent anew. */
export const keepPerson = ({ answers, addressCheck, questionedContact }: Enquiry): Enquiry => {
  const { firstName, lastName, phone, email, address, zip, city, state } = answers
  const person = { firstName, lastName, phone, email, address, zip, city, state }
  return {
    ...emptyEnquiry,
    answers: { ...emptyAnswers, ...person },
    addressCheck,
    questionedContact,
  }
}

interface AnotherEnquiryProps {
  live: LiveForm
  area: Area
  /** The sent enquiry; undefined without JavaScript, and after a reload, which forgets the answers. */
  sent: Enquiry | undefined
}

/** Links to a new form. JavaScript goes to step 1 without loading the page, and keeps the person's details. */
function AnotherEnquiry({ live, area, sent }: AnotherEnquiryProps) {
  function begin(event: MouseEvent<HTMLAnchorElement>) {
    const { ctrlKey, metaKey, shiftKey, altKey, currentTarget } = event
    const isSamePage = currentTarget.href === location.href.split('#')[0]
    if (ctrlKey || metaKey || shiftKey || altKey || !(sent || isSamePage)) return
    event.preventDefault()
    dispatch(live, { type: 'went-to', enquiry: sent ? keepPerson(sent) : emptyEnquiry })
  }
  return (
    <a className={styles.another} href={areaPath(area)} onClick={begin}>
      {thankYouTexts.another}
    </a>
  )
}

/** Shows a note above an empty form after the visitor has returned from the thank-you screen. */
export const ReceivedNote = ({ leadId }: { leadId: string }) => (
  <p>{thankYouTexts.already(toReference(leadId))}</p>
)

interface NextStepsProps {
  form: EnquiryProps
  program: string | undefined
  /** What the visitor typed; undefined without JavaScript and after a reload. */
  answers: Answers | undefined
}

/**
 * Says what happens next, and only what is also true for a lead that the school never gets, such as a duplicate or a
 * quarantined lead (reading 36).
 */
function NextSteps({ form, program, answers }: NextStepsProps) {
  const { school, operator, responseTime, telephone } = form
  const contact = answers ? (
    <>
      by phone at <b className={styles.phone}>{answers.phone}</b>, or by email at{' '}
      <b>{answers.email}</b>
    </>
  ) : (
    'by phone or by email, with the details that you entered.'
  )
  return (
    <ol className={styles.steps}>
      <li>
        <strong>Now</strong>
        Your request{program && ` for the ${program}`} is saved. {operator} checks each request
        before it goes to {school}.
      </li>
      <li>
        <strong>{responseTime ? `Within ${responseTime}` : 'Next'}</strong>
        The school {responseTime ? 'aims to answer' : 'may contact you'} {contact}
        {telephone && (
          <span className={styles.call}>
            Rather call? The school’s number is <a href={telephone.href}>{telephone.number}</a>
            {telephone.hours && `, ${telephone.hours}`}.
          </span>
        )}
      </li>
      <li>
        <strong>After that</strong>
        You decide. You owe nothing, and may{' '}
        <a href="/information/privacy-rights-request">have your details deleted</a>.
      </li>
    </ol>
  )
}

interface ThankYouProps {
  state: FormState
  form: EnquiryProps
  live: LiveForm
}

export function ThankYou({ state, form, live }: ThankYouProps) {
  const { leadId, subId } = state
  const program = findProgram(form.programs, state.programId)
  const sent = state.sent?.leadId === leadId ? state.sent?.enquiry : undefined
  // The pixel is absent if none is configured, or if the visitor's browser asks not to sell data.
  const pixel = form.pixelUrl && leadId && makePixelUrl(form.pixelUrl, leadId, subId)

  useEffect(() => {
    if (pixel) loadPixel(pixel, leadId)
  }, [pixel, leadId])

  return (
    <div className={styles.thanks} data-step={4}>
      <svg className={styles.tick} viewBox="0 0 56 56" aria-hidden="true">
        <circle cx="28" cy="28" r="28" />
        <path d="M16.5 28.5l8 8 15-17" />
      </svg>
      <StepHeading isStart>{thankYouTexts.heading}</StepHeading>
      <p className={styles.text} id={headingDescriptionId}>
        <span>{thankYouTexts.text}</span> {thankYouTexts.unless}
      </p>
      <div className={styles.columns}>
        <NextSteps form={form} program={program?.name} answers={sent?.answers} />
        <div>
          <section className={styles.questions}>
            <h3>{thankYouTexts.questionsHeading}</h3>
            <ul>
              {thankYouTexts.questions.map((question) => (
                <li key={question}>{question}</li>
              ))}
            </ul>
          </section>
          <p className={styles.foot}>
            {leadId && (
              <span>
                Your reference: <code>{toReference(leadId)}</code>
              </span>
            )}
            <AnotherEnquiry live={live} area={form.area} sent={sent} />
          </p>
        </div>
      </div>
      {pixel && (
        <noscript>
          <img src={pixel} alt="" width="1" height="1" />
        </noscript>
      )}
    </div>
  )
}

/** Fills in the placeholders of the pixel's URL. If the visit has no sub id, `{subId}` becomes empty. */
const makePixelUrl = (template: string, leadId: string, subId: string | undefined): string =>
  template
    .replaceAll('{leadId}', encodeURIComponent(leadId))
    .replaceAll('{subId}', encodeURIComponent(subId ?? ''))
