import { degreeLabels } from '#content/degrees.ts'
import { programHints } from '#content/messages.ts'
import type { Area } from '#domain/area.ts'
import {
  findProgram,
  groupProgramsByDegree,
  type Program,
  toProgramOptions,
} from '#domain/catalogue/catalogue.ts'
import { startDates } from '#domain/enquiry/rules.ts'
import { CheckboxField, SelectField } from '#ui/select-field.tsx'
import type { StepFieldsProps } from './enquiry-form.tsx'

/**
 * The options of the program list: on an area's page featured programs come first, under their own heading (reading 2).
 * The other programs, and all programs of the general page, are grouped by degree.
 */
function ProgramOptions({ programs, area }: { programs: readonly Program[]; area: Area }) {
  const isFeatured = (program: Program) => area !== 'general' && program.active
  return (
    <>
      <ProgramGroup heading="Featured programs" of={programs.filter(isFeatured)} />
      {groupProgramsByDegree(programs.filter((program) => !isFeatured(program))).map((group) => (
        <ProgramGroup
          key={group.degreeType}
          heading={degreeLabels[group.degreeType].plural}
          of={group.programs}
        />
      ))}
    </>
  )
}

function ProgramGroup({ heading, of: programs }: { heading: string; of: readonly Program[] }) {
  if (programs.length === 0) return null
  return (
    <optgroup label={heading}>
      {programs.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </optgroup>
  )
}

export function ProgramFields({ answers, errors, form }: StepFieldsProps) {
  const { programs, wholeArea } = toProgramOptions(form.programs, Number(answers.previousEducation))
  const chosen = findProgram(form.programs, answers.desiredProgram)
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

/** The disclosure, word for word, with a link to the policy that it mentions. */
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
