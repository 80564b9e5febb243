/** The longest body that is read, of an API call and of a posted form. */
export const mostBodyBytes = 64 * 1024
