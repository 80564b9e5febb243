import { expect, test } from 'vitest'
import { eventReceivers, leadEvents, listEventsFor, usualWebhookEvents } from './notification.ts'

test('somebody has decided who gets each event', () => {
  expect(Object.keys(eventReceivers).toSorted()).toEqual(leadEvents.toSorted())
  // Affiliates read this list as a promise: before you add an event, decide whether affiliates may know of it.
  expect(listEventsFor('postback')).toEqual(['accepted', 'rejected', 'returned', 'stopped'])
  expect(listEventsFor('webhook')).toEqual(['received', 'accepted', 'rejected', 'returned'])
  // Nobody gets a call for each enquiry without having chosen it.
  expect(usualWebhookEvents).toEqual(['accepted', 'rejected', 'returned'])
})
