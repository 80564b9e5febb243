import { type MouseEvent, useEffect } from 'react'
import { describeNextSteps, thankYouTexts } from '#content/messages.ts'
import { type Area, areaPath } from '#domain/area.ts'
import { findProgram } from '#domain/catalogue/catalogue.ts'
import { emptyEnquiry } from '#domain/enquiry/enquiry.ts'
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

/** Links to a new form. If the area's page is already open, JavaScript goes to step 1 without loading the page. */
function AnotherEnquiry({ live, area }: { live: LiveForm; area: Area }) {
  function begin(event: MouseEvent<HTMLAnchorElement>) {
    const { ctrlKey, metaKey, shiftKey, altKey, currentTarget } = event
    const isSamePage = currentTarget.href === location.href.split('#')[0]
    if (ctrlKey || metaKey || shiftKey || altKey || !isSamePage) return
    event.preventDefault()
    dispatch(live, { type: 'went-to', enquiry: emptyEnquiry })
  }
  return (
    <p>
      <a href={areaPath(area)} onClick={begin}>
        {thankYouTexts.another}
      </a>
    </p>
  )
}

/** Shows a note above an empty form after the visitor has returned from the thank-you screen. */
export const ReceivedNote = ({ leadId }: { leadId: string }) => (
  <p>{thankYouTexts.already(leadId)}</p>
)

interface ThankYouProps {
  state: FormState
  form: EnquiryProps
  live: LiveForm
}

export function ThankYou({ state, form, live }: ThankYouProps) {
  const { leadId, subId } = state
  const program = findProgram(form.programs, state.programId)
  // The pixel is absent if none is configured, or if the visitor's browser asks not to sell data.
  const pixel = form.pixelUrl && leadId && makePixelUrl(form.pixelUrl, leadId, subId)

  useEffect(() => {
    if (pixel) loadPixel(pixel, leadId)
  }, [pixel, leadId])

  return (
    <div className={styles.thanks} data-step={4}>
      <StepHeading isStart>{thankYouTexts.heading}</StepHeading>
      <p id={headingDescriptionId}>{thankYouTexts.text}</p>
      {program && <p>{thankYouTexts.program(program.name)}</p>}
      <h3 className={styles.heading}>What happens next</h3>
      <ol className={styles.list}>
        {describeNextSteps(form.school, form.operator).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ol>
      {leadId && (
        <p className={styles.reference}>
          Your reference number: <code>{leadId}</code>
        </p>
      )}
      <AnotherEnquiry live={live} area={form.area} />
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
