/** The HTML standard's grammar of `input type=email`, with a dot in the domain. */
const asciiEmail =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@(?:[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?\.)+[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?$/

/** The same grammar with letters of every script where it has Latin ones (RFC 6531). */
const unicodeEmail =
  /^[\w.!#$%&'*+/=?^`{|}~\p{L}\p{M}\p{N}-]+@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u

/**
 * Whether the text is one email address. A browser may submit `bücher.example` in either of its spellings. Compiling the
 * Unicode pattern takes a slow phone 25 ms, so an ASCII address is matched without it.
 * https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address
 */
export const isEmail = (text: string): boolean =>
  (/[^ -~]/.test(text) ? unicodeEmail : asciiEmail).test(text)
