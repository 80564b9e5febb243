/** As a browser's `pattern`, which means the whole of it. */
export const leadIdPattern = String.raw`[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12}`

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** Whether a text can be a lead's id. What is none may be anything, a person's address too: it is not written down. */
export const isLeadId = (text: string): boolean => uuid.test(text)
