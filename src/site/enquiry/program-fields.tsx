import { degreeLabels, makeConsentNote, programHints } from '#content/messages.ts'
import { legalPaths } from '#content/site-texts.ts'
import type { Area } from '#domain/area.ts'
import {
  findProgram,
  groupProgramsByDegree,
  type Program,
  toProgramOptions,
} from '#domain/catalogue/catalogue.ts'
import { startDates } from '#domain/enquiry/rules.ts'
import fieldStyles from '#ui/field.module.css'
import { CheckboxField, SelectField, SelectOptions } from '#ui/select-field.tsx'
import type { Controls } from './form-state.ts'

/** Lists an area's featured programs first (reading 2), and groups the other programs by degree. */
function ProgramOptions({ programs, area }: { programs: readonly Program[]; area: Area }) {
  const isFeatured = (program: Program) => area !== 'general' && program.active
  const groups = [
    { heading: 'Featured programs', programs: programs.filter(isFeatured) },
    ...groupProgramsByDegree(programs.filter((program) => !isFeatured(program))).map(
      ({ degreeType, programs }) => ({ heading: degreeLabels[degreeType].plural, programs }),
    ),
  ]
  return groups
    .filter(({ programs }) => programs.length > 0)
    .map(({ heading, programs }) => (
      <optgroup key={heading} label={heading}>
        <SelectOptions options={programs} />
      </optgroup>
    ))
}

export const programControls: Controls<'program'> = {
  programId({ field, answers, form }) {
    const { programs, isWholeArea } = toProgramOptions(
      form.programs,
      Number(answers.educationLevel),
    )
    const chosen = findProgram(form.programs, answers.programId)
    const hint = isWholeArea
      ? programHints.wholeArea
      : chosen && !programs.includes(chosen) && programHints.notOpen(chosen.name)
    return (
      <SelectField
        {...field}
        {...(hint ? { hint } : {})}
        placeholder={{ value: '', text: 'Choose a program' }}
      >
        {programs.length > 0 && <ProgramOptions programs={programs} area={form.area} />}
      </SelectField>
    )
  },
  startDate: ({ field }) => (
    <SelectField {...field} placeholder={{ value: '', text: 'Choose a start date' }}>
      <SelectOptions options={startDates} />
    </SelectField>
  ),
  confirmation: ({ field, form: { disclosure, school, operator } }) => (
    <>
      <CheckboxField
        {...field}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the disclosure is Markdown, in which HTML is refused
        label={<span dangerouslySetInnerHTML={{ __html: disclosure.html }} />}
        isChecked={field.value === 'on'}
      />
      <p className={fieldStyles.hint}>
        {makeConsentNote(school, operator, disclosure.html.includes(legalPaths[0]))}
      </p>
    </>
  ),
}
