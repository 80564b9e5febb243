import type { Area } from '#domain/area.ts'
import { type Claim, claims } from './claims.ts'

/** A landing page's words. */
export interface AreaPage {
  /** Short, as a link to the page has it. */
  readonly name: string
  readonly title: string
  readonly headline: string
  readonly lead: string
  readonly pictureAlt: string
  /** The school in figures. */
  readonly figures: readonly Claim[]
  readonly reasons: readonly Reason[]
}

/**
 * One part of the marketing block: tuition, outcomes, accreditation or mentors (section 2). It states no more about the
 * school than `claims` does; what else a student should know is a question to ask.
 */
export interface Reason {
  readonly topic: 'Tuition' | 'Outcomes' | 'Accreditation' | 'Mentors'
  readonly heading: string
  readonly text: string
}

const { tuition, keepWorking, salaryIncrease, salaryIncreaseTechnology, employerSatisfaction } =
  claims

export const areaPages: Record<Area, AreaPage> = {
  general: {
    name: 'All areas',
    title: 'Online degrees in business, education, healthcare and technology',
    headline: 'Start the degree that fits your life',
    lead: 'Tell us where you are now and what you want to study. Four short steps; then the school contacts you.',
    pictureAlt: 'A desk by a window at dusk: an open book, a lamp and a laptop.',
    figures: [tuition, keepWorking, salaryIncrease, employerSatisfaction],
    reasons: [
      {
        topic: 'Tuition',
        heading: 'A price to plan with',
        text: `Tuition is ${tuition.text}. Ask the school what it covers, and put the figure beside the others on your list.`,
      },
      {
        topic: 'Outcomes',
        heading: 'Work, study, and what follows',
        text: `${keepWorking.text}. The average salary increase is ${salaryIncrease.text}, and employer satisfaction is ${employerSatisfaction.text}. Ask how each was counted.`,
      },
      {
        topic: 'Accreditation',
        heading: 'Ask before you enroll',
        text: 'Accreditation is granted to schools and to single programs. Ask who accredits the program that interests you.',
      },
      {
        topic: 'Mentors',
        heading: 'Someone to turn to',
        text: 'Ask how the school’s mentors work: who yours would be, how often you would talk, and how to reach one when a week goes wrong.',
      },
    ],
  },
  business: {
    name: 'Business',
    title: 'Online business degrees',
    headline: 'Start a business degree on your experience',
    lead: 'Accounting, management, marketing, finance or an M.B.A. Four short steps; then the school contacts you.',
    pictureAlt: 'A city street of tall buildings with a rising line drawn across them.',
    figures: [tuition, keepWorking, salaryIncrease, employerSatisfaction],
    reasons: [
      {
        topic: 'Tuition',
        heading: 'A number you can budget',
        text: `Tuition is ${tuition.text}: enough to put in a budget, or before your employer. Ask what stands beside it.`,
      },
      {
        topic: 'Outcomes',
        heading: 'Measured where it counts',
        text: `${keepWorking.text}: ask how they fit classes into a full week. The average salary increase is ${salaryIncrease.text}, and employer satisfaction is ${employerSatisfaction.text}.`,
      },
      {
        topic: 'Accreditation',
        heading: 'Know what stands behind it',
        text: 'A business program can be accredited beside its school. Ask how it stands with the one that you choose.',
      },
      {
        topic: 'Mentors',
        heading: 'Around your working week',
        text: 'Ask what a mentor would do for you, how often you would talk, and whether yours would know your line of work.',
      },
    ],
  },
  education: {
    name: 'Education',
    title: 'Online education and teaching degrees',
    headline: 'Start to become the teacher you remember',
    lead: 'From a first degree to a master’s in leadership. Four short steps; then the school contacts you.',
    pictureAlt: 'A classroom with a blackboard, a globe and a stack of books.',
    figures: [tuition, keepWorking, salaryIncrease, employerSatisfaction],
    reasons: [
      {
        topic: 'Tuition',
        heading: 'Set it against a teacher’s pay',
        text: `Tuition is ${tuition.text}. Ask what a teaching program costs beside it, such as tests and student teaching.`,
      },
      {
        topic: 'Outcomes',
        heading: 'In class, on both sides',
        text: `${keepWorking.text}. Employer satisfaction is ${employerSatisfaction.text}, and the average salary increase is ${salaryIncrease.text}: ask your district how it pays for a degree.`,
      },
      {
        topic: 'Accreditation',
        heading: 'Licensure differs by state',
        text: 'Requirements for a teaching license are your state’s. Ask which programs lead to licensure where you live, and who accredits them.',
      },
      {
        topic: 'Mentors',
        heading: 'A mentor for a mentor',
        text: 'Teachers know what a good mentor is worth. Ask who yours would be, and whether that person has taught.',
      },
    ],
  },
  healthcare: {
    name: 'Healthcare',
    title: 'Online nursing and healthcare degrees',
    headline: 'Start the next step in caring for people',
    lead: 'RN to BSN, BSN to MSN, health leadership and more. Four short steps; then the school contacts you.',
    pictureAlt: 'A heart and a stethoscope over soft hills in morning light.',
    figures: [tuition, keepWorking, salaryIncrease, employerSatisfaction],
    reasons: [
      {
        topic: 'Tuition',
        heading: 'Count it through first',
        text: `Tuition is ${tuition.text}. Ask what the school charges beside it, such as clinical fees, before you decide.`,
      },
      {
        topic: 'Outcomes',
        heading: 'Study between shifts',
        text: `${keepWorking.text}. The average salary increase is ${salaryIncrease.text}, with employer satisfaction at ${employerSatisfaction.text}. Ask your own employer what a degree would change.`,
      },
      {
        topic: 'Accreditation',
        heading: 'It matters to your license',
        text: 'Your state decides what a license needs. Ask how your program is accredited, and whether your state accepts it.',
      },
      {
        topic: 'Mentors',
        heading: 'A plan that survives the week',
        text: 'After a night shift a plan can fall apart. Ask how a mentor would help you put yours together again.',
      },
    ],
  },
  technology: {
    name: 'Technology',
    title: 'Online technology and computer science degrees',
    headline: 'Start the career that builds things',
    lead: 'Software engineering, cybersecurity, cloud, data. Four short steps; then the school contacts you.',
    pictureAlt: 'Lines of light that join points into a network over a dark horizon.',
    figures: [tuition, keepWorking, salaryIncreaseTechnology, employerSatisfaction],
    reasons: [
      {
        topic: 'Tuition',
        heading: 'Read the whole bill',
        text: `Tuition is ${tuition.text}. Ask the school for the full list of its fees, certification exams among them.`,
      },
      {
        topic: 'Outcomes',
        heading: 'Numbers to check',
        text: `${keepWorking.text}: ask how many hours a week to plan for. The average salary increase is ${salaryIncreaseTechnology.text}; employer satisfaction is ${employerSatisfaction.text}.`,
      },
      {
        topic: 'Accreditation',
        heading: 'Degrees and certifications',
        text: 'Accreditation differs by program. Ask who accredits yours, and what employers in your field look for.',
      },
      {
        topic: 'Mentors',
        heading: 'Code review for your plan',
        text: 'Ask who would go through your plan with you, and what happens when you are stuck.',
      },
    ],
  },
}
