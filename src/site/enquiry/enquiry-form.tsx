import type { FormEventHandler, ReactNode } from 'react'
import { consentButtonLabel, offlineHint, waitingLabels } from '#content/first-script-texts.ts'
import { enquiryFormId, honeypotField } from '#contract/api-constants.ts'
import { answerDefinitions, fields, hasErrors, type StepId } from '#domain/enquiry/answers.ts'
import {
  type Enquiry,
  formatStepLabel,
  listVisibleFields,
  type Step,
  steps,
} from '#domain/enquiry/enquiry.ts'
import fieldStyles from '#ui/field.module.css'
import { CorrectedErrorsContext } from '#ui/field.tsx'
import { aboutYouControls } from './about-you-fields.tsx'
import buttonStyles from './button.module.css'
import styles from './enquiry.module.css'
import type { Controls, EnquiryProps, FormState } from './form-state.ts'
import type { LazyFormParts } from './lazy-form-parts.ts'

/** The id of what the heading's `aria-describedby` names: the step's number and title, or the thank-you text. */
export const headingDescriptionId = 'enquiry-title'

interface StepHeadingProps {
  as?: 'h2' | 'h3'
  className?: string | undefined
  /** True if the heading takes the focus when the page loads, for example on each step without JavaScript. */
  isStart: boolean
  children: ReactNode
}

/**
 * The heading of a new step, its question, takes the focus, so that it is in view, and screen readers read the question
 * before the step's number.
 */
export function StepHeading({ as: Heading = 'h2', isStart, ...props }: StepHeadingProps) {
  return (
    <Heading
      {...props}
      id="enquiry-heading"
      tabIndex={-1}
      // Without focus, people with a screen reader would search each step's form.
      autoFocus={isStart}
      aria-describedby={headingDescriptionId}
    />
  )
}

interface EnquiryFormProps {
  step: Step
  state: FormState
  form: EnquiryProps
  /** The form's lazily loaded parts; undefined until the page has loaded them. */
  lazyParts: LazyFormParts | undefined
  /** The event handlers are absent on the server. */
  onEdit?: FormEventHandler<HTMLFormElement>
  onSubmit?: FormEventHandler<HTMLFormElement>
  toast?: ReactNode
}

/** Renders one step as a form that works without JavaScript: the browser posts all answers to the page's own URL. */
export function EnquiryForm({
  step,
  state,
  form,
  lazyParts,
  toast,
  ...handlers
}: EnquiryFormProps) {
  const { enquiry, errors, corrected, notice, question, isBusy, replies, leadId } = state
  const needsVisitor = notice || question || hasErrors(errors)
  const controls: Partial<Controls<StepId>> = { ...aboutYouControls, ...lazyParts?.controls }
  const isLast = enquiry.step === steps.length - 1
  const program = form.programs.find(({ id }) => `${id}` === enquiry.answers.programId)
  const waiting = waitingLabels[enquiry.step]
  const hint = state.isOffline ? offlineHint : !hasErrors(errors) && notice?.more
  return (
    <form
      id={enquiryFormId}
      method="post"
      noValidate
      onInput={handlers.onEdit}
      onChange={handlers.onEdit}
      onKeyDown={isLast ? lazyParts?.preventEnterSubmit : undefined}
      onSubmit={handlers.onSubmit}
      data-step={enquiry.step}
      data-waiting={isBusy || undefined}
    >
      <div className={styles.progress} aria-hidden="true">
        {steps.map(({ id }, index) => (
          <span key={id} data-done={index <= enquiry.step ? '' : undefined} />
        ))}
      </div>
      {lazyParts && leadId && enquiry.step === 0 && <lazyParts.ReceivedNote leadId={leadId} />}
      <div className={styles.step} key={enquiry.step}>
        <div className={styles.place} id={headingDescriptionId}>
          <h2>{formatStepLabel(enquiry.step)}</h2> <span>{step.title}</span>
        </div>
        <fieldset className={styles.fields} disabled={isBusy} key={fieldsetKey(state)}>
          <legend className={styles.legend}>
            <StepHeading
              as="h3"
              className={styles.question}
              isStart={enquiry.step > 0 && !needsVisitor}
            >
              {step.question}
            </StepHeading>
          </legend>
          {program && !isLast && (
            <p className={styles.program}>
              <span>
                For: <strong>{program.name}</strong>
              </span>{' '}
              <a href="#programs">Change</a>
            </p>
          )}
          {lazyParts && (
            <lazyParts.ProblemSummary
              key={`${replies} ${isBusy}`}
              enquiry={enquiry}
              notice={notice}
              errors={errors}
              corrected={corrected}
              isPosted={replies === 0}
            />
          )}
          <CorrectedErrorsContext value={corrected}>
            {listVisibleFields(enquiry).map((name) => {
              const Control = controls[name]
              const { label } = answerDefinitions[name]
              const field = { name, label, value: enquiry.answers[name], error: errors[name] }
              return (
                Control && (
                  <Control
                    key={name}
                    field={field}
                    answers={enquiry.answers}
                    addressCheck={enquiry.addressCheck}
                    question={question}
                    form={form}
                    lazyParts={lazyParts}
                  />
                )
              )
            })}
          </CorrectedErrorsContext>
        </fieldset>
      </div>
      <HiddenAnswers enquiry={enquiry} />
      {/* The honeypot is hidden from view, assistive technology, the Tab key and a search in the page. The honeypot's
          title is for browsers without styles. */}
      <input
        className={styles.honeypot}
        name={honeypotField}
        title="Leave this empty"
        defaultValue={enquiry.honeypot}
        tabIndex={-1}
        autoComplete="off"
        aria-hidden="true"
      />
      {/* The hint is in the toast's place, so that nothing moves when the toast closes. */}
      <div className={styles.notices}>
        {hint && (
          // A sticky toast is an alert itself.
          <p className={fieldStyles.error} role={notice?.isSticky ? undefined : 'alert'}>
            {hint}
          </p>
        )}
        {toast}
      </div>
      {/* The Next button comes first in the markup, so that Enter presses it. */}
      <div className={styles.buttons}>
        {/* A question has buttons of its own. */}
        {(!question || isBusy) && (
          <Button move="next" isBusy={isBusy}>
            {isBusy ? waiting : isLast ? consentButtonLabel : 'Next'}
          </Button>
        )}
        {enquiry.step > 0 && (
          <Button move="back" isBusy={isBusy}>
            Back
          </Button>
        )}
      </div>
      <p
        className={styles.promise}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the promise is Markdown, in which HTML is refused
        dangerouslySetInnerHTML={{ __html: form.promise.html }}
      />
      <p className={styles.status} role="status">
        {isBusy && waiting}
      </p>
    </form>
  )
}

/** React keeps the text typed in a field. Our code's values appear only in new fields, which a changed key makes. */
const fieldsetKey = ({ enquiry: { step, addressCheck } }: FormState): string =>
  `${step}${addressCheck.by}${addressCheck.checkedFor}`

function HiddenAnswers({ enquiry }: { enquiry: Enquiry }) {
  const { answers, addressCheck, step, key, questionedContact, startedAt } = enquiry
  const shown = listVisibleFields(enquiry)
  const hidden = {
    ...Object.fromEntries(
      fields.filter((field) => !shown.includes(field)).map((field) => [field, answers[field]]),
    ),
    step,
    checkedFor: addressCheck.checkedFor,
    checkedBy: addressCheck.by,
    zipPlus4: addressCheck.zipPlus4,
    key,
    questionedContact,
    startedAt,
  }
  return Object.entries(hidden).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ))
}

interface ButtonProps {
  /** The button's action, which the browser posts as `move` without JavaScript. */
  move: 'next' | 'back'
  /** True while the form is busy. The button stays enabled, because a disabled button would lose the focus. */
  isBusy: boolean
  children: ReactNode
}

function Button({ move, isBusy, children }: ButtonProps) {
  return (
    <button
      className={move === 'next' ? buttonStyles.primary : buttonStyles.quiet}
      type="submit"
      name="move"
      value={move}
      aria-disabled={isBusy || undefined}
    >
      {children}
    </button>
  )
}
