/** Returns a heading's anchor, as GitHub makes it: `leads-are-not-stored` for `Leads are not stored`. */
export const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
