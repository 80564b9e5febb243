/** Those that came back with a backup and may have been delivered since. */
export const inDoubtAddress = '/leads?restored=in-doubt'
