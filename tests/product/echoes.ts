/** Spellings of a text that a reader or a program still understands. */
export const spellings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => perCharacter(text, (code) => `%${code.toString(16)}`),
  (text) => perCharacter(text, (code) => `\\u${code.toString(16).padStart(4, '0')}`),
  (text) => perCharacter(text, (code) => `&#${code};`),
  (text) => Buffer.from(text).toString('base64'),
  (text) => Buffer.from(text).toString('hex'),
  (text) => text.split('').join(' '),
]

const perCharacter = (text: string, write: (code: number) => string): string =>
  Array.from(text, (character) => write(character.codePointAt(0) ?? 0)).join('')

const reply = (firstLine: string, body: string, headers: readonly string[] = []): string =>
  [
    `HTTP/1.1 ${firstLine}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    ...headers,
    '',
    body,
  ].join('\r\n')

/**
 * How a third party may repeat the data that it got: each function makes a complete HTTP reply of a text, or none. The
 * last one refuses our credentials.
 */
export const echoes: readonly ((text: string) => string)[] = [
  (text) => reply('500 No', text),
  (text) => reply('200 OK', text),
  (text) => reply('200 OK', JSON.stringify({ status: 'failure', reason: text })),
  (text) =>
    reply('400 No', JSON.stringify({ error: { message: text, details: [{ reason: text }] } })),
  (text) => reply('503 Later', '', [`x-lead: ${text}`, `retry-after: ${text}`, `date: ${text}`]),
  (text) => reply(`500 ${text}`, ''),
  (text) => reply('302 There', '', [`location: http://127.0.0.1:9/${text}`]),
  (text) => reply('200 OK', '{}', [`content-encoding: ${text}`]),
  (text) => `HTTP/1.1 200 OK\r\ncontent-length: ${text}\r\n\r\n`,
  (text) => `${text}\r\n\r\n`,
  (text) => reply('403 No', text),
]
