/** Why deliveries are paused after a restore: what the console says beside that pause goes by it. */
export const restoredReason = 'restored from a backup'
