import { graduatingYearReason } from '#content/messages.ts'
import { educationLevels } from '#domain/catalogue/catalogue.ts'
import { noEducationLevel } from '#domain/enquiry/enquiry.ts'
import { makeFieldIds, TextField } from '#ui/field.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { ToggleTip } from '#ui/toggle-tip.tsx'
import type { StepFieldsProps } from './enquiry-form.tsx'
import { formatInput } from './format-input.ts'

export function YourEducationFields({ answers, errors }: StepFieldsProps) {
  return (
    <>
      <SelectField
        name="previousEducation"
        label="Education level"
        value={answers.previousEducation}
        error={errors.previousEducation}
        placeholder={{ value: String(noEducationLevel), text: 'Choose your highest level' }}
      >
        {educationLevels.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField
        name="graduatingYear"
        label="Graduation year"
        why={graduatingYearReason}
        tip={
          <ToggleTip
            id="why-graduatingYear"
            about={makeFieldIds('graduatingYear').label}
            text={graduatingYearReason}
          />
        }
        hint="The year you finished or expect to, like 2016"
        inputMode="numeric"
        onInput={formatInput}
        onCompositionEnd={formatInput}
        value={answers.graduatingYear}
        error={errors.graduatingYear}
      />
    </>
  )
}
