/** What open pages are told of a change, once the server has started over. */
export type Told = 'site and console' | 'console' | 'nobody'

/**
 * Vite shows a stylesheet and the form's components anew by itself, and keeps what was typed. On the console, where no
 * component lives in the browser, those show when the page is loaded anew.
 */
export function toldOfChange(path: string): Told {
  const isShownByVite = path.includes('/src/site/enquiry/') || path.includes('/src/ui/')
  if (!isShownByVite) return 'site and console'
  return path.includes('/src/ui/') && path.endsWith('.tsx') ? 'console' : 'nobody'
}
