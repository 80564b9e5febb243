import { mostViews, type SaveOutcome } from '#server/use-cases/leads/list/saved-views.ts'

export const unknownFilter = (name: string): string => `There is no filter “${name.slice(0, 40)}”`
export const nothingToSearch =
  'Type a whole email address, phone number, last name or reference. Nobody was searched for.'
export const searchEnded =
  'That search is over: it is kept for an hour, for you alone. Search again.'
export const noExport = 'This filter or format cannot be meant. Nothing was exported.'
export const tooFarBehind =
  'The list is being brought up to date, and a file of it would lack leads. Nothing was exported. Try again in a while, or use npm run leads -- export, which reads the leads themselves.'
export const notSaved: Readonly<Record<Exclude<SaveOutcome, 'saved'> | 'not meant', string>> = {
  'no name': 'Give the view a name of up to 60 characters. Nothing was saved.',
  'too long': 'That is a longer filter than a link can hold. Nothing was saved.',
  'not meant': 'This filter cannot be meant. Nothing was saved.',
  'too many': `You have ${mostViews} views: remove one first. Nothing was saved.`,
}
