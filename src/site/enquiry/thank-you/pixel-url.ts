/** Fills a pixel's address in; what is unknown becomes empty. */
export const pixelUrl = (template: string, leadId: string, subId: string | undefined): string =>
  template
    .replaceAll('{leadId}', encodeURIComponent(leadId))
    .replaceAll('{subId}', encodeURIComponent(subId ?? ''))
