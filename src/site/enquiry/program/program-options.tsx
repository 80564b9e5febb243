import { degreeWords } from '#content/degrees.ts'
import type { Area } from '#domain/area.ts'
import type { Program } from '#domain/catalogue/catalogue.ts'
import { programsByDegree } from '#domain/catalogue/catalogue.ts'

interface ProgramOptionsProps {
  programs: readonly Program[]
  area: Area
}

/** An area's featured programs first, under their own heading (reading 2); the others, or all on the general page, by degree. */
export function ProgramOptions({ programs, area }: ProgramOptionsProps) {
  const isFeatured = (program: Program) => area !== 'general' && program.active
  return (
    <>
      <Group heading="Featured programs" of={programs.filter(isFeatured)} />
      {programsByDegree(programs.filter((program) => !isFeatured(program))).map((group) => (
        <Group
          key={group.degreeType}
          heading={degreeWords[group.degreeType].plural}
          of={group.programs}
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
