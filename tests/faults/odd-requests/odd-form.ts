import fc from 'fast-check'
import { wholeForm } from '#tests/product/posted-form.ts'
import { method, type OddRequest, strayHeaders, tampered } from './odd-request.ts'
import { addressPart, headerText, mostly, oddQuery, oddText } from './odd-values.ts'

const formBody: fc.Arbitrary<{ type: string; body: string | Uint8Array }> = fc.oneof(
  {
    weight: 8,
    arbitrary: tampered({ ...wholeForm(), move: 'next' }).map((form) => ({
      type: 'application/x-www-form-urlencoded',
      body: new URLSearchParams(
        Object.entries(form).map(([name, value]) => [name, String(value ?? '')]),
      ).toString(),
    })),
  },
  {
    weight: 2,
    arbitrary: tampered(wholeForm()).map((form) => ({
      type: 'multipart/form-data; boundary=y',
      body: Object.entries(form)
        .map(
          ([name, value]) =>
            `--y\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
        )
        .concat('--y--\r\n')
        .join(''),
    })),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.oneof(
        fc.constantFrom('application/x-www-form-urlencoded', 'multipart/form-data; boundary=y'),
        headerText,
      ),
      body: fc.oneof(oddText, fc.uint8Array({ maxLength: 200 })),
    }),
  },
)

/** Generates a posted form that none of our pages would send. */
export const oddForm = (origin: string): fc.Arbitrary<OddRequest> =>
  fc
    .tuple(
      method('POST'),
      mostly('business', addressPart),
      oddQuery('affid', 'received', '__proto__'),
      formBody,
      fc.constantFrom('0', '1', '2', '3'),
      strayHeaders,
    )
    .map(([usualMethod, area, query, { type, body }, step, stray]) => ({
      method: usualMethod,
      path: `/${area}${query}`,
      headers: { origin, 'content-type': type, ...stray },
      body: typeof body === 'string' ? body.replace('step=3', `step=${step}`) : body,
    }))
