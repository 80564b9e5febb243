import { thankYou } from '#content/messages.ts'

/** Said above an empty form that a visitor has come back to from the thanks. */
export const ReceivedNote = ({ leadId }: { leadId: string }) => <p>{thankYou.already(leadId)}</p>
