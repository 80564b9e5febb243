export const lastButton = 'Agree & Continue'

// The browser loads the texts of a new form first, so they have their own module.
export const phoneHint = 'So the school can call you.'

/**
 * The form shows this text if the browser is offline when it checks or sends the answers, or loads the code of a step.
 */
export const offlineHint =
  'You seem to be offline. Your answers are kept. Please try again once you are connected.'
