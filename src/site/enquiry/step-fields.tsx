import type { ReactNode } from 'react'
import type { AddressStanding } from '#domain/enquiry/address-check.ts'
import type { Answers, FieldErrors } from '#domain/enquiry/answers.ts'
import type { StepId } from '#domain/enquiry/step.ts'
import { AboutYouFields } from './about-you/about-you-fields.tsx'
import { AddressFields } from './address/address-fields.tsx'
import { EducationFields } from './education/education-fields.tsx'
import type { EnquiryProps } from './enquiry-props.ts'
import { ProgramFields } from './program/program-fields.tsx'

export interface StepFieldsProps {
  readonly answers: Answers
  readonly errors: FieldErrors
  readonly standing: AddressStanding
  readonly form: EnquiryProps
}

/** What each step shows: its question's controls. */
export const stepFields: Record<StepId, (props: StepFieldsProps) => ReactNode> = {
  'about-you': AboutYouFields,
  address: AddressFields,
  education: EducationFields,
  program: ProgramFields,
}
