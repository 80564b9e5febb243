import { type MetricType, onCLS, onINP, onLCP } from 'web-vitals'

const report = ({ name, value }: MetricType) =>
  document.dispatchEvent(new CustomEvent('enquiry:vital', { detail: [name, value] }))

for (const observe of [onCLS, onINP, onLCP]) observe(report, { reportAllChanges: true })
