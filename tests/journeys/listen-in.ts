import type { Page, Request } from '@playwright/test'

/** Collects the page's requests whose address contains `part`, from now on. */
export function listenIn(page: Page, part: string, method?: string): Request[] {
  const heard: Request[] = []
  page.on('request', (request) => {
    if (request.url().includes(part) && (method ?? request.method()) === request.method()) {
      heard.push(request)
    }
  })
  return heard
}
