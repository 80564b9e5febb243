import type { Area } from '#domain/area.ts'
import { claims } from './claims.ts'

/** A landing page's words. */
export interface AreaPage {
  readonly title: string
  readonly headline: string
  readonly lead: string
  readonly pictureAlt: string
  readonly reasons: readonly Reason[]
}

/** One part of the marketing block: tuition, outcomes, accreditation or mentors (section 2). */
export interface Reason {
  readonly topic: 'Tuition' | 'Outcomes' | 'Accreditation' | 'Mentors'
  readonly heading: string
  readonly text: string
}

const { tuition, keepWorking, salaryIncrease, salaryIncreaseTechnology, employerSatisfaction } =
  claims

export const areaPages: Record<Area, AreaPage> = {
  general: {
    title: 'Online degrees in business, education, healthcare and technology',
    headline: 'A degree that fits the life you already have',
    lead: 'Tell us where you are now and what you want to study. It takes about two minutes, and the school will contact you.',
    pictureAlt: 'A desk by a window at dusk: an open book, a lamp and a laptop.',
    reasons: [
      {
        topic: 'Tuition',
        heading: 'A price to plan with',
        text: `Tuition is ${tuition.text}. Put that figure beside the others on your list, and ask the school what it covers.`,
      },
      {
        topic: 'Outcomes',
        heading: 'Work while you study',
        text: `${keepWorking.text} keep working while they study, and the average salary increase is ${salaryIncrease.text}.`,
      },
      {
        topic: 'Accreditation',
        heading: 'Ask before you enroll',
        text: 'Accreditation is granted to schools and to single programs. When the school contacts you, ask who accredits the program that interests you.',
      },
      {
        topic: 'Mentors',
        heading: 'Someone in your corner',
        text: 'Studying online does not mean studying alone: a mentor helps you plan, and is there when a week goes wrong.',
      },
    ],
  },
  business: {
    title: 'Online business degrees',
    headline: 'Put a business degree behind your experience',
    lead: 'Accounting, management, marketing, finance or an M.B.A.: choose yours in four short steps, and the school will contact you.',
    pictureAlt: 'A city street of tall buildings with a rising line drawn across them.',
    reasons: [
      {
        topic: 'Tuition',
        heading: 'A number you can budget',
        text: `Tuition is ${tuition.text}: a line in a budget that you can defend, to an employer as to yourself.`,
      },
      {
        topic: 'Outcomes',
        heading: 'Measured where it counts',
        text: `${employerSatisfaction.text} say that they are satisfied with the graduates they hired, and the average salary increase is ${salaryIncrease.text}.`,
      },
      {
        topic: 'Accreditation',
        heading: 'Know what stands behind it',
        text: 'A business program can be accredited beside its school. Ask the school how it stands with the one that you choose.',
      },
      {
        topic: 'Mentors',
        heading: 'Around your working week',
        text: `${keepWorking.text} keep their jobs while they study. A mentor helps you fit the work around your week.`,
      },
    ],
  },
  education: {
    title: 'Online education and teaching degrees',
    headline: 'Become the teacher you remember',
    lead: 'From a first license to a master’s in leadership: tell us where you are now, and the school will contact you.',
    pictureAlt: 'A classroom with a blackboard, a globe and a stack of books.',
    reasons: [
      {
        topic: 'Tuition',
        heading: 'Priced for a teacher’s pay',
        text: `Tuition is ${tuition.text}. Know the figure before you start, so that a new career does not begin with a surprise.`,
      },
      {
        topic: 'Outcomes',
        heading: 'Employers are satisfied',
        text: `${employerSatisfaction.text} say that they are satisfied with graduates. The average salary increase is ${salaryIncrease.text}.`,
      },
      {
        topic: 'Accreditation',
        heading: 'Licensure differs by state',
        text: 'Requirements for a teaching license are your state’s. Ask the school which programs lead to licensure where you live.',
      },
      {
        topic: 'Mentors',
        heading: 'You get a mentor, too',
        text: 'Teachers know what a good mentor is worth. Here you have one yourself, for as long as you study.',
      },
    ],
  },
  healthcare: {
    title: 'Online nursing and healthcare degrees',
    headline: 'Take the next step in caring for people',
    lead: 'RN to BSN, BSN to MSN, health leadership and more: answer four short steps, and the school will contact you.',
    pictureAlt: 'A heart and a stethoscope over soft hills in morning light.',
    reasons: [
      {
        topic: 'Tuition',
        heading: 'Count it through first',
        text: `Tuition is ${tuition.text}. Ask what the school charges beside it, such as clinical fees, before you decide.`,
      },
      {
        topic: 'Outcomes',
        heading: 'Study between shifts',
        text: `${keepWorking.text} keep working while they study. The average salary increase is ${salaryIncrease.text}.`,
      },
      {
        topic: 'Accreditation',
        heading: 'It matters to your license',
        text: 'Your state decides what a license needs. Ask the school how your program is accredited, and whether your state accepts it.',
      },
      {
        topic: 'Mentors',
        heading: 'A plan that survives the week',
        text: 'After a night shift a plan can fall apart. A mentor helps you put it together again.',
      },
    ],
  },
  technology: {
    title: 'Online technology and computer science degrees',
    headline: 'Build the career that builds things',
    lead: 'Software engineering, cybersecurity, cloud, data: choose your program in four short steps, and the school will contact you.',
    pictureAlt: 'Lines of light that join points into a network over a dark horizon.',
    reasons: [
      {
        topic: 'Tuition',
        heading: 'A flat rate, no surprises',
        text: `Tuition is ${tuition.text}. No asterisk from us: ask the school for the full list of its fees.`,
      },
      {
        topic: 'Outcomes',
        heading: 'A raise you can measure',
        text: `The average salary increase is ${salaryIncreaseTechnology.text}, and ${employerSatisfaction.text} say that they are satisfied with the graduates they hired.`,
      },
      {
        topic: 'Accreditation',
        heading: 'Degrees and certifications',
        text: 'Accreditation differs by program. Ask the school who accredits yours, and what employers in your field look for.',
      },
      {
        topic: 'Mentors',
        heading: 'Code review for your plan',
        text: `${keepWorking.text} keep their jobs meanwhile. A mentor goes through your plan with you, and helps when you are stuck.`,
      },
    ],
  },
}
