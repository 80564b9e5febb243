import { renderToString } from 'react-dom/server'
import { EnquiryApp } from '../../enquiry/enquiry-app.tsx'
import type { EnquiryProps } from '../../enquiry/enquiry-props.ts'
import { stepLogic } from '../../enquiry/step-logic/step-logic.ts'

interface EnquiryIslandProps {
  form: EnquiryProps
  /** The address of what hydrates it. */
  script: string
}

/** The one part of the page that the browser hydrates, and the props that it reads to do so. */
export function EnquiryIsland({ form, script }: EnquiryIslandProps) {
  // `<` would let a value end the script element.
  const propsText = JSON.stringify(form).replaceAll('<', '\\u003c')
  // A fresh page is made as the browser's script hydrates it: without the part that comes later.
  const app = <EnquiryApp {...form} logic={form.posted && stepLogic} />
  return (
    <>
      {/* biome-ignore-start lint/security/noDangerouslySetInnerHtml: React's own output, and JSON escaped above */}
      <div
        id="enquiry"
        data-script={script}
        dangerouslySetInnerHTML={{ __html: renderToString(app) }}
      />
      <script
        id="enquiry-props"
        type="application/json"
        dangerouslySetInnerHTML={{ __html: propsText }}
      />
      {/* biome-ignore-end lint/security/noDangerouslySetInnerHtml: see above */}
    </>
  )
}
