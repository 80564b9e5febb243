/**
 * Posts the form as the browser does without any script; the page that answers takes this one's place. In a form of its
 * own: the visitor's may be disabled, and what is disabled posts nothing.
 */
export function postNatively(posted: FormData): void {
  const form = document.createElement('form')
  form.method = 'post'
  form.hidden = true
  for (const [name, value] of posted) {
    const input = document.createElement('input')
    Object.assign(input, { name, value })
    form.append(input)
  }
  document.body.append(form)
  form.submit()
  form.remove()
}
