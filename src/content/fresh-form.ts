/** The label of the button that sends the request (section 2). */
export const lastButton = 'Agree & Continue'

// The words of a fresh form, in a module of their own because the browser loads them first.

/** Below the label of the phone number. */
export const phoneHint = 'So the school can call you.'

/** Shown if the browser is offline when the form checks, sends or loads its missing part. */
export const offlineHint =
  'You seem to be offline. Your answers are kept. Please try again once you are connected.'
