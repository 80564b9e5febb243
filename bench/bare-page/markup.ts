export const rootId = 'root'

/** What the bare page shows, the same from the server and from React. */
export const rootText = 'Hello'
