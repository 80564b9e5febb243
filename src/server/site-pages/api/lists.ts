import { Hono } from 'hono'
import * as v from 'valibot'
import { type Option, type Page, type ProgramItem, programsQuery } from '#contract/lists.ts'
import { educationLevels, isOpenTo, type Program } from '#domain/catalogue/catalogue.ts'
import { startDates } from '#domain/enquiry/rules.ts'
import { send } from '#server/platform/http/replies.ts'
import { fieldProblems, unprocessable } from './read-json.ts'

export interface ListsPorts {
  /** Those on offer now. */
  readonly programs: () => readonly Program[]
}

/** The programs, education levels and start dates. */
export function lists({ programs }: ListsPorts) {
  return new Hono()
    .get('/programs', (c) => {
      const query = v.safeParse(programsQuery, c.req.query())
      if (!query.success) return send(c, unprocessable(fieldProblems(query.issues)))
      const { skip, take, active, type, educationLevel } = query.output
      const found = programs().filter(
        (program) =>
          (active === undefined || program.active === active) &&
          (type === undefined || program.types.includes(type)) &&
          (educationLevel === undefined || isOpenTo(program, educationLevel)),
      )
      const items = found.slice(skip, skip + take).map(toItem)
      return c.json({ items, total: found.length, skip, take } satisfies Page<ProgramItem>)
    })
    .get('/education-levels', (c) => c.json(educationLevels satisfies readonly Option<number>[]))
    .get('/start-dates', (c) => c.json(startDates satisfies readonly Option<string>[]))
}

const toItem = ({ id, name, active, types, degreeType }: Program): ProgramItem => ({
  id,
  name,
  ...(active ? { active } : {}),
  types,
  degreeType,
})
