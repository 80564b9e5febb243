import { createContext, useContext } from 'react'

/** Whether this is a demo in a clone, where npm runs the command, or an installed production system. */
export const IsDemo = createContext(true)

/** The command line as it works here: `npm run leads -- show` in a clone, `sudo leads show` where it is installed (deploy/leads). */
export function LeadsCommand({ verb }: { verb: string }) {
  return <code>{`${useContext(IsDemo) ? 'npm run leads --' : 'sudo leads'} ${verb}`}</code>
}
