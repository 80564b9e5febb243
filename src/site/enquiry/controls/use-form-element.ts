import { type RefObject, useLayoutEffect, useRef } from 'react'
import { carryOver } from './carry-over.ts'

/** What the server's page has for the form before React takes over. */
export interface ServersForm {
  readonly form: HTMLFormElement | null
  /** What has had the focus last. */
  readonly focused: () => EventTarget | null
}

/** The form as it stands in the page. Where another one stands there suddenly, what was put into the last goes with it. */
export function useFormElement(
  container: RefObject<HTMLElement | null>,
  before: ServersForm | undefined,
): RefObject<HTMLFormElement | null> {
  const element = useRef(before?.form ?? null)
  useLayoutEffect(() => {
    const form = container.current?.querySelector('form') ?? null
    const last = element.current
    if (form && last && form !== last) carryOver(last, form, before?.focused())
    element.current = form
  })
  return element
}
