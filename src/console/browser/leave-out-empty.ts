/** Of a filter the address has what is asked for, and not every part that is not: it is read, kept and passed on. */
addEventListener('formdata', ({ target, formData }) => {
  if (!(target instanceof HTMLFormElement) || target.method !== 'get') return
  for (const name of new Set(formData.keys())) {
    const given = formData.getAll(name).filter((value) => value !== '')
    formData.delete(name)
    for (const value of given) formData.append(name, value)
  }
})
