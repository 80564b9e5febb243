// The first script of the form needs only these texts; the parts that load later have the others.
export const consentButtonLabel = 'Agree & Continue'

/** What the button says while the form waits, by step. */
export const waitingLabels = ['One moment…', 'Checking your address…', 'One moment…', 'Sending…']

/** Beside the label, where a phone has room for 32 characters. */
export const phoneHint = 'the school may call this number'

/** The hint if the browser is offline when the form checks or sends answers, or loads a step's code. */
export const offlineHint =
  'You seem to be offline. The form keeps your answers. Please try again when you are online.'
