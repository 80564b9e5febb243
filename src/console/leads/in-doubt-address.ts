/** Those that came back with a backup and may have been delivered since (0119). */
export const inDoubtAddress = '/leads?restored=in-doubt'
