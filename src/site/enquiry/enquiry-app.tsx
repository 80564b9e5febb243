import type { ReactNode } from 'react'
import { steps } from '#domain/enquiry/steps.ts'
import { Toast } from '../ui/toast.tsx'
import styles from './enquiry.module.css'
import { EnquiryForm } from './enquiry-form.tsx'
import type { EnquiryProps } from './enquiry-props.ts'
import { ThankYou } from './thank-you/thank-you.tsx'
import { useEnquiry } from './use-enquiry.ts'

interface EnquiryAppProps extends EnquiryProps {
  /** What the server asks about the posted address: see address-question.tsx. */
  question?: ReactNode
}

/** The four-step form and its thank-you screen: what the browser hydrates. */
export function EnquiryApp({ question, ...props }: EnquiryAppProps) {
  const { state, container, onInput, onSubmit, closeToast, pixel } = useEnquiry(props, question)
  const step = steps[state.enquiry.step]
  return (
    <div className={styles.card} ref={container}>
      {step === undefined ? (
        <ThankYou
          reference={state.leadId}
          school={props.school}
          operator={props.operator}
          pixelUrl={pixel}
        />
      ) : (
        <EnquiryForm step={step} state={state} form={props} onInput={onInput} onSubmit={onSubmit} />
      )}
      {state.notice && state.isToastOpen && <Toast notice={state.notice} onClose={closeToast} />}
    </div>
  )
}
