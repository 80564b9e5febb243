/** The time that every limit is counted over, in milliseconds. */
export const limitedOver = 10 * 60 * 1000
