/** What an area is painted with: `#rrggbb` each. The rest of a page's colors is every area's (tokens.css). */
export interface AreaColors {
  /** Buttons, links, lines. */
  readonly accent: string
  /** Behind the headline, which is white. */
  readonly stage: string
  readonly tint: string
  /** The same two in the dark scheme, on dark ground. */
  readonly darkAccent: string
  readonly darkTint: string
}
