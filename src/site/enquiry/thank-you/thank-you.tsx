import { useEffect } from 'react'
import { thankYou, whatHappensNext } from '#content/messages.ts'
import { chosenProgram } from '../chosen-program.ts'
import type { EnquiryProps } from '../enquiry-props.ts'
import { StepHeading, stepTitleId } from '../form/step-heading.tsx'
import type { FormState } from '../form-state.ts'
import type { LiveForm } from '../live-form.ts'
import { AnotherEnquiry } from './another-enquiry.tsx'
import { loadPixel } from './load-pixel.ts'
import styles from './thank-you.module.css'

interface ThankYouProps {
  state: FormState
  form: EnquiryProps
  live: LiveForm
}

export function ThankYou({ state, form, live }: ThankYouProps) {
  const { leadId, subId } = state
  const program = chosenProgram(form.programs, state.programId)
  // Absent where none is configured, or the visitor's browser asks not to sell data.
  const pixel = form.pixelUrl && leadId && pixelUrl(form.pixelUrl, leadId, subId)

  useEffect(() => {
    if (pixel) loadPixel(pixel, leadId)
  }, [pixel, leadId])

  return (
    <div className={styles.thanks} data-step={4}>
      <StepHeading isStart>{thankYou.heading}</StepHeading>
      <p id={stepTitleId}>{thankYou.text}</p>
      {program && <p>{thankYou.program(program.name)}</p>}
      <h3 className={styles.heading}>What happens next</h3>
      <ol className={styles.list}>
        {whatHappensNext(form.school, form.operator).map((line) => (
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

/** Fills a pixel's address in; what is unknown becomes empty. */
const pixelUrl = (template: string, leadId: string, subId: string | undefined): string =>
  template
    .replaceAll('{leadId}', encodeURIComponent(leadId))
    .replaceAll('{subId}', encodeURIComponent(subId ?? ''))
