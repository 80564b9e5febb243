import { Hono } from 'hono'
import { renderHtml } from '#console/render.ts'
import { ReturnsPage, type ReturnsPageProps } from '#console/returns/returns-page.tsx'
import { pluralize } from '#domain/text/pluralize.ts'
import { describeImport } from '#server/delivery/import-returns.ts'
import { maxReturns } from '#server/delivery/parse-returns.ts'
import type { ConsoleContext, ConsoleEnv, ConsoleServices } from './console-env.ts'
import { makeFieldErrors, parseFields, readForm } from './read-form.ts'

export const returnsPath = '/returns'

export function returnRoutes({ returns, shellOf, notice }: ConsoleServices) {
  const show = async (c: ConsoleContext, shown: Partial<ReturnsPageProps> = {}) => {
    const imports = await returns.imports(c.get('actor'))
    const page = (
      <ReturnsPage
        shell={shellOf(c)}
        imports={imports}
        typed={{ ...(await returns.columns()), pasted: '' }}
        faults={[]}
        message={notice.take(c)}
        maxLines={maxReturns}
        {...shown}
      />
    )
    return c.html(renderHtml(page), shown.message?.kind === 'problem' ? 422 : 200)
  }

  return new Hono<ConsoleEnv>()
    .get(returnsPath, (c) => show(c))
    .post(returnsPath, async (c) => {
      const { lead, date, reason, pasted } = await readForm(c, 'lead', 'date', 'reason', 'pasted')
      const { file } = await parseFields(c)
      const text = file instanceof File && file.size > 0 ? await file.text() : pasted
      const result = await returns.import(c.get('actor'), text, { lead, date, reason })
      const typed = { lead, date, reason, pasted }
      if (result.kind === 'imported') {
        const heading = `Returns imported: ${describeImport(result)}`
        return notice.redirect(c, returnsPath, { kind: 'well', heading })
      }
      if (text === '') {
        return show(c, {
          typed,
          message: makeFieldErrors({ file: 'Choose the file, or paste its lines.' }),
        })
      }
      const { faults, columns } = result
      const heading = `Nothing was imported: ${pluralize(faults.length, 'line is', 'lines are')} wrong`
      const message = Object.keys(columns).length > 0 ? makeFieldErrors(columns) : undefined
      return show(c, { typed, faults, message: message ?? { kind: 'problem', heading } })
    })
}
