/**
 * Chromium runs as root in a container, where it needs no sandbox of its own. The other arguments keep it from
 * contacting its maker.
 */
export const browserArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
