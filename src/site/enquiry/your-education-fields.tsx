import {
  callBeforeYear,
  graduatingYearHint,
  closedProgramTexts as texts,
} from '#content/messages.ts'
import { educationLevels, findProgram } from '#domain/catalogue/catalogue.ts'
import { unchosenEducationLevel } from '#domain/enquiry/answers.ts'
import { earliestGraduatingYear } from '#domain/enquiry/rules.ts'
import { makeFieldIds, TextField } from '#ui/field.tsx'
import { SelectField, SelectOptions } from '#ui/select-field.tsx'
import type { Controls } from './form-state.ts'
import { formatInput } from './format-input.ts'
import questionStyles from './question-box.module.css'
import { AnswerButton, CorrectLink, QuestionBox } from './question-box.tsx'
import styles from './toggle-tip.module.css'

export const yourEducationControls: Controls<'your-education'> = {
  educationLevel: ({ field, answers, question, form }) => {
    const program = findProgram(form.programs, answers.programId)
    return (
      <>
        <SelectField
          {...field}
          placeholder={{ value: String(unchosenEducationLevel), text: 'Choose your highest level' }}
        >
          <SelectOptions options={educationLevels} />
        </SelectField>
        {question?.isProgramClosed && program && (
          <QuestionBox heading={texts.heading(program)} hint={texts.hint}>
            <div className={questionStyles.answers}>
              <AnswerButton name="drop" value="program" isFilled>
                {texts.drop}
              </AnswerButton>
              <CorrectLink field="educationLevel">{texts.correct}</CorrectLink>
            </div>
          </QuestionBox>
        )}
      </>
    )
  },
  graduatingYear: ({ field, form: { telephone } }) => (
    <>
      <TextField
        {...field}
        tipText={graduatingYearHint}
        tip={
          <ToggleTip
            id="why-graduatingYear"
            labelId={makeFieldIds('graduatingYear').label}
            text={graduatingYearHint}
          />
        }
        hint="The year you finished or expect to finish, such as 2016"
        inputMode="numeric"
        onInput={formatInput}
        onCompositionEnd={formatInput}
      />
      {telephone && isBeforeForm(field.value) && (
        <p>
          {callBeforeYear(earliestGraduatingYear)} <a href={telephone.href}>{telephone.number}</a>
          {telephone.hours && `, ${telephone.hours}`}
        </p>
      )}
    </>
  ),
}

/** @param year the year at the last press of Next, so that nothing moves while the visitor corrects it */
const isBeforeForm = (year: string): boolean =>
  /^\d{4}$/.test(year) && Number(year) < earliestGraduatingYear

interface ToggleTipProps {
  id: string
  /** The id of the field's label, which screen readers read after the button's own name. */
  labelId: string
  text: string
}

/** A button that explains why the form asks something. The browser opens the tip, so the tip needs no JavaScript. */
function ToggleTip({ id, labelId, text }: ToggleTipProps) {
  return (
    <>
      <button
        className={styles.button}
        type="button"
        popoverTarget={id}
        aria-label="Why we ask"
        aria-describedby={labelId}
      >
        ?
      </button>
      <span
        className={styles.tip}
        id={id}
        popover="auto"
        role="tooltip"
        tabIndex={-1}
        // biome-ignore lint/a11y/noAutofocus: the tip opens only when somebody presses its button
        autoFocus
        ref={setAutofocus}
      >
        {text}
      </span>
    </>
  )
}

/** The browser reads `autofocus` when the popover opens, but React omits the attribute on elements that it creates. */
const setAutofocus = (tip: HTMLElement | null) => tip?.setAttribute('autofocus', '')
