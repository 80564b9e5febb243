/** The colors of one area, each as `#rrggbb`. All areas share the other colors of a page (tokens.css). */
export interface AreaColors {
  /** The color of buttons, links and lines. */
  readonly accent: string
  /** The background color of the white headline. */
  readonly stage: string
  readonly tint: string
  /** The accent color on the dark background of the dark color scheme. */
  readonly darkAccent: string
  readonly darkTint: string
}

/** Copies of the colors in tokens.css that all areas share, for code that cannot read a stylesheet. */
export const neutralColors = {
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
