import fc from 'fast-check'
import { headerText, mostly, oddValue } from './odd-values.ts'

export interface OddRequest {
  readonly method: string
  /** The path with its query, unescaped as it is sent. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

type Headers = Record<string, string>

/** Generates some of these headers with any values. */
export const strayHeaders: fc.Arbitrary<Headers> = mostly(
  {},
  fc.dictionary(
    fc.constantFrom(
      'cookie',
      'origin',
      'referer',
      'user-agent',
      'accept',
      'accept-encoding',
      'accept-language',
      'content-encoding',
      'if-none-match',
      'range',
      'sec-fetch-site',
      'sec-gpc',
      'x-forwarded-for',
      'x-forwarded-host',
      'x-http-method-override',
    ),
    headerText,
    { maxKeys: 4 },
  ),
)

export const method = (usual: string) =>
  mostly(
    usual,
    fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY'),
  )

/** Generates copies of an object in which some values are changed or missing. */
export const tampered = (object: object): fc.Arbitrary<object> =>
  fc.record(
    Object.fromEntries(
      Object.entries(object).map(([name, value]) => [
        name,
        mostly(value as unknown, fc.oneof(oddValue, fc.constant(undefined))),
      ]),
    ),
  )
