/** Writes each point in time in the operator's zone: the server cannot know it. The exact one stays in its title. */
const written = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

for (const element of document.querySelectorAll('time')) {
  element.textContent = written.format(new Date(element.dateTime))
}
