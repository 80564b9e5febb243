export const consentButton = 'Agree & Continue'

// The browser loads the texts of a new form first, so they have their own module.
export const phoneHint = 'So the school can call you.'

/** The hint if the browser is offline when the form checks or sends answers, or loads a step's code. */
export const offlineHint =
  'You seem to be offline. Your answers are kept. Please try again once you are connected.'
