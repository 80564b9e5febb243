import type { ReactNode } from 'react'
import type { StepId } from '#domain/enquiry/step.ts'
import { AboutYouFields } from './about-you/about-you-fields.tsx'
import { AddressFields } from './address/address-fields.tsx'
import { EducationFields } from './education/education-fields.tsx'
import { ProgramFields } from './program/program-fields.tsx'
import type { StepFieldsProps } from './step-fields-props.ts'

/** What each step shows: its question's controls. */
export const stepFields: Record<StepId, (props: StepFieldsProps) => ReactNode> = {
  'about-you': AboutYouFields,
  address: AddressFields,
  education: EducationFields,
  program: ProgramFields,
}
