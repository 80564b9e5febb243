/**
 * The HTML standard's grammar of `input type=email`, with a dot in the domain, and letters of every script where it has
 * Latin ones (RFC 6531): a browser may hand over `bücher.example` in either of its spellings.
 * https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address
 */
export const emailPattern =
  /^[\w.!#$%&'*+/=?^`{|}~\p{L}\p{M}\p{N}-]+@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u
