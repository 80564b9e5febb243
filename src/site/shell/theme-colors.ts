/** What a browser paints around the page: `--ground` of tokens.css, which no script and no manifest can read. */
export const themeColors = { light: '#f7f8fa', dark: '#11161f' }
