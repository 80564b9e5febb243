// The first script of the form needs only these texts; the parts that load later have the others.
export const consentButtonLabel = 'Agree & Continue'

export const nameProgram = (name: string): string => `Your program: ${name}`

export const phoneHint = 'The school may call this number about your request.'

/** The hint if the browser is offline when the form checks or sends answers, or loads a step's code. */
export const offlineHint =
  'You seem to be offline. The form keeps your answers. Please try again when you are online.'
