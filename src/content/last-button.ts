/** What the button says that sends the request (section 2). */
export const lastButton = 'Agree & Continue'
