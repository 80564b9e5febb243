/**
 * The value of the education level's select before anything is chosen. Apart from the levels, as the browser
 * needs it before them.
 */
export const noEducationLevel = -1
