import { Fragment } from 'react'
import { degreeLabels, makeConsentNote, programHints } from '#content/messages.ts'
import { legalPaths } from '#content/site-texts.ts'
import { areaButton } from '#contract/api-constants.ts'
import { type Area, fieldAreas } from '#domain/area.ts'
import {
  groupProgramsByDegree,
  type Program,
  sortByName,
  toProgramOptions,
} from '#domain/catalogue/catalogue.ts'
import { startDates } from '#domain/enquiry/rules.ts'
import { CheckboxField, SelectField, SelectOptions } from '#ui/select-field.tsx'
import buttonStyles from './button.module.css'
import type { Controls } from './form-state.ts'
import styles from './program-fields.module.css'

/** Lists an area's featured programs first (reading 2), and groups the other programs by degree. */
function ProgramOptions({ programs, area }: { programs: readonly Program[]; area: Area }) {
  const isFeatured = (program: Program) => area !== 'general' && program.active
  const groups = [
    { heading: 'Featured programs', programs: sortByName(programs.filter(isFeatured)) },
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

/** Leads to the areas' own lists, because the general area offers only featured programs. The answers come along. */
function OtherAreas() {
  const [before, after] = programHints.elsewhere
  return (
    <p className={styles.elsewhere}>
      {before}
      {fieldAreas.map((area, index) => (
        <Fragment key={area}>
          {index > 0 ? ' · ' : ' '}
          <button className={buttonStyles.text} type="submit" name={areaButton} value={area}>
            {area}
          </button>
        </Fragment>
      ))}{' '}
      {after}
    </p>
  )
}

export const programControls: Controls<'program'> = {
  programId({ field, answers, form }) {
    const { programs, isWholeArea } = toProgramOptions(
      form.programs,
      Number(answers.educationLevel),
    )
    return (
      <>
        <SelectField
          {...field}
          {...(isWholeArea ? { hint: programHints.wholeArea } : {})}
          placeholder={{ value: '', text: 'Choose a program' }}
        >
          {programs.length > 0 && <ProgramOptions programs={programs} area={form.area} />}
        </SelectField>
        {form.area === 'general' && <OtherAreas />}
      </>
    )
  },
  startDate: ({ field }) => (
    <SelectField {...field} placeholder={{ value: '', text: 'Choose a start date' }}>
      <SelectOptions options={startDates} />
    </SelectField>
  ),
  confirmation: ({ field, form: { disclosure, school, operator } }) => (
    <div className={styles.consent}>
      <CheckboxField
        {...field}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the disclosure is Markdown, in which HTML is refused
        label={<span dangerouslySetInnerHTML={{ __html: disclosure.html }} />}
        isChecked={field.value === 'on'}
      />
      <p>{makeConsentNote(school, operator, disclosure.html.includes(legalPaths[0]))}</p>
    </div>
  ),
}
