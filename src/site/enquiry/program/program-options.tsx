import type { Area } from '#domain/area.ts'
import { type DegreeType, degreeTypes, type Program } from '#domain/catalogue/program.ts'

const headings: Record<DegreeType, string> = {
  Bachelors: 'Bachelor’s degrees',
  Masters: 'Master’s degrees',
  Certificate: 'Certificates',
}

interface ProgramOptionsProps {
  programs: readonly Program[]
  area: Area
}

/** An area's featured programs first, under their own heading (ruling 2); the others, or all on the general page, by degree. */
export function ProgramOptions({ programs, area }: ProgramOptionsProps) {
  const isFeatured = (program: Program) => area !== 'general' && program.active
  return (
    <>
      <Group heading="Featured programs" of={programs.filter(isFeatured)} />
      {degreeTypes.map((type) => (
        <Group
          key={type}
          heading={headings[type]}
          of={programs.filter((program) => program.degreeType === type && !isFeatured(program))}
        />
      ))}
    </>
  )
}

function Group({ heading, of: programs }: { heading: string; of: readonly Program[] }) {
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
