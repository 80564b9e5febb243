import { steps } from '#domain/enquiry/steps.ts'
import type { ServersForm } from './controls/use-form-element.ts'
import type { EnquiryProps } from './enquiry-props.ts'
import styles from './form/enquiry.module.css'
import { EnquiryForm } from './form/enquiry-form.tsx'
import { FormBoundary } from './form/form-boundary.tsx'
import type { StepLogic } from './step-logic/step-logic.ts'
import { useEnquiry } from './use-enquiry.ts'

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
  const thanks = logic && <logic.ThankYou state={state} form={props} live={live} />
  const form = { form: props, logic }
  return (
    <div className={styles.card} ref={container}>
      <FormBoundary
        plain={
          step ? <EnquiryForm {...form} step={step} state={{ ...state, isBusy: false }} /> : thanks
        }
      >
        {step ? <EnquiryForm {...form} {...handlers} step={step} state={state} /> : thanks}
        {logic && <logic.StepEffects live={live} logic={logic} state={state} />}
        {logic && notice && isToastOpen && <logic.Toast notice={notice} onClose={closeToast} />}
      </FormBoundary>
    </div>
  )
}
