export const rootId = 'root'

/** The bare page's content, the same on the server and in React. */
export const rootText = 'Hello'
