import type { Area } from '#domain/area.ts'
import { claims } from './claims.ts'

/** A landing page's words. */
export interface AreaPage {
  /** As navigation names the area. */
  readonly name: string
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
    name: 'All programs',
    title: 'Online degrees in business, education, healthcare and technology',
    headline: 'A degree that fits the life you already have',
    lead: 'Tell us where you are now and what you want to study. It takes about two minutes, and the school will contact you.',
    pictureAlt: 'A desk by a window at dusk: an open book, a lamp and a laptop.',
    reasons: [
      {
        topic: 'Tuition',
        heading: 'One flat rate',
        text: `Tuition is ${tuition.text}, charged by the term and not by the course. Finish more in a term and you pay no more.`,
      },
      {
        topic: 'Outcomes',
        heading: 'Work while you study',
        text: `${keepWorking.text} keep working while they study, and graduates report an average salary increase of ${salaryIncrease.text}.`,
      },
      {
        topic: 'Accreditation',
        heading: 'Ask before you enroll',
        text: 'Accreditation is granted to schools and to single programs. When the school contacts you, ask who accredits the program that interests you.',
      },
      {
        topic: 'Mentors',
        heading: 'Someone in your corner',
        text: 'A mentor who knows your program stays with you from the first day to graduation, and plans each term with you.',
      },
    ],
  },
  business: {
    name: 'Business',
    title: 'Online business degrees',
    headline: 'Put a business degree behind your experience',
    lead: 'Accounting, management, marketing, finance or an M.B.A.: choose yours in four short steps, and the school will contact you.',
    pictureAlt: 'A city street of tall buildings with a rising line drawn across them.',
    reasons: [
      {
        topic: 'Tuition',
        heading: 'A number you can budget',
        text: `Tuition is ${tuition.text}. You pay for the term, so moving faster through what you know from work costs less.`,
      },
      {
        topic: 'Outcomes',
        heading: 'Measured where it counts',
        text: `${employerSatisfaction.text} say that they are satisfied with the graduates they hired, and graduates report an average salary increase of ${salaryIncrease.text}.`,
      },
      {
        topic: 'Accreditation',
        heading: 'Know what stands behind it',
        text: 'Some business programs carry an accreditation of their own beside the school’s. Ask the school about the one that you choose.',
      },
      {
        topic: 'Mentors',
        heading: 'Mentors from practice',
        text: `Most students keep their jobs: ${keepWorking.text} do. Your mentor plans each term around your working week.`,
      },
    ],
  },
  education: {
    name: 'Education',
    title: 'Online education and teaching degrees',
    headline: 'Become the teacher you remember',
    lead: 'From a first license to a master’s in leadership: tell us where you are now, and the school will contact you.',
    pictureAlt: 'A classroom with a blackboard, a globe and a stack of books.',
    reasons: [
      {
        topic: 'Tuition',
        heading: 'Priced for a teacher’s pay',
        text: `Tuition is ${tuition.text}, at a flat rate for each term, however many courses you finish in it.`,
      },
      {
        topic: 'Outcomes',
        heading: 'Schools hire our graduates',
        text: `${employerSatisfaction.text} say that they are satisfied with graduates. The average salary increase is ${salaryIncrease.text}.`,
      },
      {
        topic: 'Accreditation',
        heading: 'Licensure differs by state',
        text: 'Requirements for a teaching license are your state’s. Ask the school which programs lead to licensure where you live.',
      },
      {
        topic: 'Mentors',
        heading: 'Guided into the classroom',
        text: 'A mentor works with you all the way, and helps you prepare for your time in the classroom.',
      },
    ],
  },
  healthcare: {
    name: 'Healthcare',
    title: 'Online nursing and healthcare degrees',
    headline: 'Take the next step in caring for people',
    lead: 'RN to BSN, BSN to MSN, health leadership and more: answer four short steps, and the school will contact you.',
    pictureAlt: 'A heart and a stethoscope over soft hills in morning light.',
    reasons: [
      {
        topic: 'Tuition',
        heading: 'Less debt, more care',
        text: `Tuition is ${tuition.text}. One rate covers all that you complete in a term.`,
      },
      {
        topic: 'Outcomes',
        heading: 'Study between shifts',
        text: `${keepWorking.text} keep working while they study. Graduates report an average salary increase of ${salaryIncrease.text}.`,
      },
      {
        topic: 'Accreditation',
        heading: 'It matters to your license',
        text: 'Boards of nursing look at how a program is accredited. Ask the school about the program and about the rules of your state.',
      },
      {
        topic: 'Mentors',
        heading: 'A mentor who has been there',
        text: 'Your mentor knows the field and the pressure of a ward, and keeps your plan realistic.',
      },
    ],
  },
  technology: {
    name: 'Technology',
    title: 'Online technology and computer science degrees',
    headline: 'Build the career that builds things',
    lead: 'Software engineering, cybersecurity, cloud, data: choose your program in four short steps, and the school will contact you.',
    pictureAlt: 'Lines of light that join points into a network over a dark horizon.',
    reasons: [
      {
        topic: 'Tuition',
        heading: 'A flat rate, no surprises',
        text: `Tuition is ${tuition.text}, by the term. What you already know, you can prove and move on from.`,
      },
      {
        topic: 'Outcomes',
        heading: 'A raise you can measure',
        text: `Graduates of technology programs report an average salary increase of ${salaryIncreaseTechnology.text}, and ${employerSatisfaction.text} are satisfied with the graduates they hired.`,
      },
      {
        topic: 'Accreditation',
        heading: 'Degrees and certifications',
        text: 'Accreditation and industry certifications differ by program. Ask the school which ones come with yours.',
      },
      {
        topic: 'Mentors',
        heading: 'Code review for your plan',
        text: `${keepWorking.text} keep their jobs meanwhile. A mentor reviews your plan with you and helps when you are stuck.`,
      },
    ],
  },
}
