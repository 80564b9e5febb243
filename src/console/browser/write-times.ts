const written = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** Writes each point in time in the operator's zone: the server cannot know it. The exact one stays in its title. */
export function writeTimes(within: ParentNode): void {
  for (const element of within.querySelectorAll('time')) {
    element.textContent = written.format(new Date(element.dateTime))
  }
}
