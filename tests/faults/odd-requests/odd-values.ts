import fc from 'fast-check'

/** Values that have crashed other servers. */
const classics = [
  '',
  ' ',
  '\u0000',
  '\u001b[2J',
  'a\r\nSet-Cookie: x=1',
  '../../etc/passwd',
  '..%2f..%2f',
  '%',
  '%E0%A4%A',
  '%00',
  '/\\other.example',
  '//other.example',
  "' or 1=1 --",
  '<script>x</script>',
  '"><img src=x onerror=y>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what an attacker would send
  '${jndi:ldap://x}',
  '{{7*7}}',
  '__proto__',
  'constructor',
  'toString',
  'NaN',
  '-0',
  '1e400',
  '9'.repeat(400),
  'x'.repeat(5000),
  // Wherever such a text is cut, one of the two is cut within a character.
  '😀'.repeat(300),
  `x${'😀'.repeat(300)}`,
  '\u202egnp.exe',
  '\ufeff',
  '٣٤٢٣٦',
  '👩‍👩‍👧‍👦',
]

export const oddText = fc.oneof(
  fc.constantFrom(...classics),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
)

/** Nests a value so deeply that recursion would overflow the stack. */
const deep = (wrap: (inner: unknown) => unknown): unknown => {
  let value: unknown = 1
  for (let depth = 0; depth < 3000; depth++) value = wrap(value)
  return value
}

export const deepValue = fc.constantFrom(
  deep((inner) => [inner]),
  deep((inner) => ({ a: inner })),
)

/** Generates any JSON value. */
export const oddValue = fc.oneof(
  oddText,
  fc.jsonValue({ maxDepth: 3 }),
  fc.double(),
  fc.integer(),
  deepValue,
  // Unpaired surrogates: URLs cannot contain them, JSON can.
  fc.constantFrom('\ud800', 'a\udc00\ud800b'),
)

/** Text with only the characters that a header can contain. */
export const headerText = oddText.map((text) => text.replace(/[^\x20-\x7e\x80-\xff]/g, '').trim())

/** Mostly generates the right value, so that most requests pass the first check. */
export const mostly = <Value>(right: Value, odd: fc.Arbitrary<Value>): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 24, arbitrary: fc.constant(right) }, { weight: 1, arbitrary: odd })

/** Generates a part of a URL, escaped or not. */
export const addressPart = fc.oneof(
  oddText.map(encodeURIComponent),
  oddText.map((text) => text.replace(/[^\x21-\x7e]/g, '')),
)

/** Generates a query `?a=b&…` with the given and other names; mostly none. */
export const oddQuery = (...names: readonly string[]): fc.Arbitrary<string> =>
  mostly(
    '',
    fc
      .array(fc.tuple(fc.oneof(fc.constantFrom(...names), addressPart), addressPart), {
        maxLength: 6,
      })
      .map((pairs) => `?${pairs.map((pair) => pair.join('=')).join('&')}`),
  )
