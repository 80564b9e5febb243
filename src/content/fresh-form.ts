// What a form says that nobody has answered yet: apart, as the browser has these words before all others.

/** Why we ask: said behind the question marks. */
export const reasons = {
  phone: 'The school may call you about your request. We ask for your number only here.',
  graduatingYear: 'The school uses it to see which programs are open to you.',
}

/** Said where there is no line to check or send by, nor to fetch a missing part of the form. */
export const offlineHint =
  'You seem to be offline. What you typed is kept: please try again once you are connected.'
