import type { RequestHead } from '#server/platform/http/request-head.ts'

/**
 * Whether the browser asks not to sell or share its visitor's data: Global Privacy Control. "1" alone counts, and one
 * "1" among several headers does: https://w3c.github.io/gpc/#the-sec-gpc-header-field-for-http-requests
 * @param secGpc the field's value; several are joined with commas
 */
export const isGpc = (secGpc: string | undefined): boolean =>
  secGpc?.split(',').some((value) => value.trim() === '1') ?? false

export const asksNotToSell = (head: RequestHead): boolean => isGpc(head.header('sec-gpc'))
