import type { LegalSection } from '../legal-page.ts'

export const changesToPolicy: LegalSection = {
  id: 'changes',
  heading: 'Changes to this policy',
  blocks: [
    [
      'When our practice changes, we change this page. The new text applies from the day that it stands here.',
    ],
    [
      'The disclosure that you agreed to when you sent an enquiry stays stored with it, in the words of that day.',
    ],
  ],
}
