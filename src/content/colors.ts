/** The colors of an area: `#rrggbb` each. The rest of a page's colors is every area's (tokens.css). */
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

/** The colors that every area has, as tokens.css has them: for what reads no stylesheet, and to measure others against. */
export const neutrals = {
  light: {
    ground: '#f7f8fa',
    groundDeep: '#eceff3',
    paper: '#ffffff',
    ink: '#17202e',
    inkQuiet: '#4b5666',
    error: '#a4161f',
  },
  dark: {
    ground: '#11161f',
    groundDeep: '#0c1017',
    paper: '#1a212d',
    ink: '#eef1f6',
    inkQuiet: '#b3bdcb',
    error: '#ff9d9d',
  },
} as const
