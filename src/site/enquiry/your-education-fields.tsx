import { graduatingYearHint } from '#content/messages.ts'
import { educationLevels } from '#domain/catalogue/catalogue.ts'
import { unchosenEducationLevel } from '#domain/enquiry/answers.ts'
import { makeFieldIds, TextField } from '#ui/field.tsx'
import { SelectField, SelectOptions } from '#ui/select-field.tsx'
import { ToggleTip } from '#ui/toggle-tip.tsx'
import type { Controls } from './form-state.ts'
import { formatInput } from './format-input.ts'

export const yourEducationControls: Controls<'your-education'> = {
  educationLevel: ({ field }) => (
    <SelectField
      {...field}
      placeholder={{ value: String(unchosenEducationLevel), text: 'Choose your highest level' }}
    >
      <SelectOptions options={educationLevels} />
    </SelectField>
  ),
  graduatingYear: ({ field }) => (
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
      hint="The year you finished or will finish, like 2016"
      inputMode="numeric"
      onInput={formatInput}
      onCompositionEnd={formatInput}
    />
  ),
}
