import { Hono } from 'hono'
import { ReturnsPage, type ReturnsPageProps } from '#console/returns/returns-page.tsx'
import { pluralize } from '#domain/text/pluralize.ts'
import { describeImport } from '#server/delivery/import-returns.ts'
import { maxReturns } from '#server/delivery/parse-returns.ts'
import {
  type ConsoleContext,
  type ConsoleEnv,
  type ConsoleServices,
  showPage,
} from './console-env.ts'
import { makeFieldErrors, parseFields, readForm } from './read-form.ts'

export const returnsPath = '/returns'

export function returnsPageRoutes({ returns, shellOf, notice }: ConsoleServices) {
  const show = async (c: ConsoleContext, shown: Partial<ReturnsPageProps> = {}) => {
    const message = shown.message ?? notice.take(c)
    const page = (
      <ReturnsPage
        shell={shellOf(c)}
        imports={await returns.imports(c.get('actor'))}
        typed={{ ...(await returns.columns()), pasted: '' }}
        faults={[]}
        maxLines={maxReturns}
        {...shown}
        message={message}
      />
    )
    return showPage(c, page, message)
  }

  return new Hono<ConsoleEnv>()
    .get(returnsPath, (c) => show(c))
    .post(returnsPath, async (c) => {
      const { lacks: _, ...typed } = await readForm(c, 'lead', 'date', 'reason', 'pasted')
      const { file } = await parseFields(c)
      const text = file instanceof File && file.size > 0 ? await file.text() : typed.pasted
      const result = await returns.import(c.get('actor'), text, typed)
      if (result.kind === 'imported') {
        const heading = `Returns imported: ${describeImport(result)}`
        return notice.redirect(c, returnsPath, { kind: 'well', heading })
      }
      const { faults, columns } = result
      const fields = text === '' ? { file: 'Choose the file, or paste its lines.' } : columns
      if (Object.keys(fields).length > 0) {
        return show(c, { typed, message: makeFieldErrors(fields) })
      }
      const heading = `Nothing was imported: ${pluralize(faults.length, 'line is', 'lines are')} wrong`
      return show(c, { typed, faults, message: { kind: 'problem', heading } })
    })
}
