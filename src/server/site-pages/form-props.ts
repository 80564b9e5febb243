import type { Context } from 'hono'
import { type Area, areaRows } from '#domain/area.ts'
import type { Program } from '#domain/catalogue/catalogue.ts'
import { programsOfArea } from '#domain/catalogue/catalogue.ts'
import { asksNotToSell } from '#server/enquiries/privacy-signal.ts'
import { headOf, type RequestHead } from '#server/platform/http/request-head.ts'
import { chosenProgram } from '#site/enquiry/chosen-program.ts'
import type { EnquiryProps, PostedEnquiry } from '#site/enquiry/enquiry-props.ts'
import { documentTitle, type PageContext } from '#site/shell/document.tsx'

export interface PixelUrls {
  readonly healthcare: string
  readonly technology: string
  readonly default: string
}

export interface FormPropsPorts {
  /** Those on offer now. */
  readonly programs: () => readonly Program[]
  readonly currentYear: () => number
  readonly disclosure: string
  readonly context: (head: RequestHead) => PageContext
  /** The thank-you screens' pixels; empty where there is none. */
  readonly pixels: PixelUrls
}

/** The query parameter that a form starts with: the id of a program, `?program=15`. */
export const programParam = 'program'

/** What the server hands the form of an area. */
export function makeFormProps(ports: FormPropsPorts) {
  const { programs, currentYear, disclosure, pixels } = ports
  return (c: Context, area: Area, posted?: PostedEnquiry): EnquiryProps => {
    // No pixel then (reading 17).
    const pixelUrl = asksNotToSell(headOf(c)) ? '' : pixels[areaRows[area].pixel]
    const ofArea = programsOfArea(programs(), area)
    const context = ports.context(headOf(c))
    // What is unknown, or not on offer here, is ignored.
    const wanted = chosenProgram(ofArea, c.req.query(programParam))
    return {
      area,
      programs: ofArea,
      currentYear: currentYear(),
      title: documentTitle(context.words.areas[area].title, context),
      school: context.names.school,
      operator: context.names.operator,
      disclosure,
      promise: context.words.shared.promise,
      ...(pixelUrl === '' ? {} : { pixelUrl }),
      ...(wanted ? { wantedProgram: wanted.id } : {}),
      ...(posted ? { posted } : {}),
    }
  }
}

export type MakeFormProps = ReturnType<typeof makeFormProps>
