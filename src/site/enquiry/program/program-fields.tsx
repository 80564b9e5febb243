import { programHints } from '#content/messages.ts'
import { offerPrograms } from '#domain/catalogue/catalogue.ts'
import { startDates } from '#domain/enquiry/rules.ts'
import { CheckboxField } from '#ui/checkbox-field.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { chosenProgram } from '../chosen-program.ts'
import type { StepFieldsProps } from '../form/step-fields-props.ts'
import { ProgramOptions } from './program-options.tsx'

export function ProgramFields({ answers, errors, form }: StepFieldsProps) {
  const { programs, wholeArea } = offerPrograms(form.programs, Number(answers.previousEducation))
  const chosen = chosenProgram(form.programs, answers.desiredProgram)
  const hint = wholeArea
    ? programHints.wholeArea
    : chosen && !programs.includes(chosen) && programHints.notOpen(chosen.name)
  return (
    <>
      <SelectField
        name="desiredProgram"
        label="Program"
        {...(hint ? { hint } : {})}
        value={answers.desiredProgram}
        error={errors.desiredProgram}
        placeholder={{ value: '', text: 'Choose a program' }}
      >
        {programs.length > 0 && <ProgramOptions programs={programs} area={form.area} />}
      </SelectField>
      <SelectField
        name="startDate"
        label="Start date"
        value={answers.startDate}
        error={errors.startDate}
        placeholder={{ value: '', text: 'Choose a start date' }}
      >
        {startDates.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <CheckboxField
        name="confirmation"
        label={<Disclosure text={form.disclosure} />}
        isChecked={answers.confirmation === 'on'}
        error={errors.confirmation}
      />
    </>
  )
}

const policyWords = 'privacy policy'

/** The disclosure word for word, with a way to read what it speaks of. */
function Disclosure({ text }: { text: string }) {
  const [before = '', after = ''] = text.split(policyWords)
  return (
    <>
      {before}
      <a href="/information/privacy-policy">{policyWords}</a>
      {after}
    </>
  )
}
