import type { Message } from '#console/shell/message.tsx'
import type { FlashMessage } from '#server/console-pages/console-env.ts'
import { maxViews, type SaveOutcome } from '#server/leads/saved-views.ts'

export const invalidCursorNotice: Message = {
  kind: 'problem',
  heading: 'This page of leads doesn’t exist',
  text: 'The address may be cut off. Apply the filter again to see the first page.',
}
/** @param findsPeople whether the role may search for a person */
export const makeEmptySearchNotice = (findsPeople: boolean): Message => ({
  kind: 'problem',
  heading: 'Nothing was searched for',
  fields: {
    search: findsPeople
      ? 'Enter a full email address, phone number, last name or reference.'
      : 'Enter a full reference.',
  },
})
/** @param name the error message at the view's name */
export const makeViewNotSavedNotice = (name: string): Message => ({
  kind: 'problem',
  heading: 'The view was not saved',
  fields: { name },
})
export const saveErrors: Readonly<Record<Exclude<SaveOutcome, 'saved'>, string>> = {
  'no name': 'Give the view a name of up to 60 characters.',
  'too long': 'The filter is too long for a link. Remove some values.',
  'too many': `You already have ${maxViews} views. Remove one first.`,
}

export const makeViewSavedNotice = (isShared: boolean): FlashMessage => ({
  kind: 'well',
  heading: 'View saved',
  text: isShared
    ? 'All operators can open the view with its name above the list.'
    : 'You can open the view with its name above the list.',
})

export const viewRemovedNotice: FlashMessage = { kind: 'well', heading: 'View removed' }
