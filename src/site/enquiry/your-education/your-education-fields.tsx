import { graduatingYearReason } from '#content/fresh-form.ts'
import { educationLevels, noEducationLevel } from '#domain/catalogue/catalogue.ts'
import { SelectField } from '#ui/select-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { formatInput } from '../form/format-input.ts'
import type { StepFieldsProps } from '../form/step-fields-props.ts'

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
