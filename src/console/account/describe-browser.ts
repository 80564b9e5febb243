/** `describeBrowser` tries Edge before Chrome and Safari, because the `User-Agent` of Edge names all three. */
const browsers = [
  ['Edge', /\bEdg(?:A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /(?:Chrome|\bCriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)/],
] as const

const systems = [
  ['Android', /Android/],
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
] as const

/** Names the browser and operating system that sent a `User-Agent`. Returns an unknown `User-Agent` unchanged. */
export function describeBrowser(userAgent: string): string {
  const browser = browsers.find(([, pattern]) => pattern.test(userAgent))
  if (browser === undefined) return userAgent
  const [name, pattern] = browser
  const system = systems.find(([, systemPattern]) => systemPattern.test(userAgent))?.[0]
  return `${name} ${pattern.exec(userAgent)?.[1]}${system === undefined ? '' : ` on ${system}`}`
}
