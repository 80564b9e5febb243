import { steps } from '#domain/enquiry/steps.ts'
import styles from './enquiry.module.css'
import { EnquiryForm } from './enquiry-form.tsx'
import type { EnquiryProps } from './enquiry-props.ts'
import { FormBoundary } from './form-boundary.tsx'
import type { StepLogic } from './step-logic.ts'
import { useEnquiry } from './use-enquiry.ts'
import type { ServersForm } from './use-form-element.ts'

interface EnquiryAppProps extends EnquiryProps {
  /** Absent where a fresh page is shown: then it comes later. */
  logic?: StepLogic | undefined
  /** What the server's page has for it; in the browser only. */
  before?: ServersForm
}

/** The four-step form and its thank-you screen: what the browser hydrates. */
export function EnquiryApp({ logic: known, before, ...props }: EnquiryAppProps) {
  const { live, state, logic, container, closeToast, ...handlers } = useEnquiry(
    props,
    known,
    before,
  )
  const { notice, isToastOpen } = state
  const step = steps[state.enquiry.step]
  const thanks = logic && <logic.ThankYou state={state} form={props} />
  const form = { form: props, logic }
  return (
    <div className={styles.card} ref={container}>
      <FormBoundary
        plain={
          step ? <EnquiryForm {...form} step={step} state={{ ...state, isBusy: false }} /> : thanks
        }
      >
        {step ? <EnquiryForm {...form} {...handlers} step={step} state={state} /> : thanks}
        {logic && <logic.StepEffects live={live} state={state} />}
        {logic && notice && isToastOpen && <logic.Toast notice={notice} onClose={closeToast} />}
      </FormBoundary>
    </div>
  )
}
