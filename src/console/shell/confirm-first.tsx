import controls from './controls.module.css'

interface ConfirmFirstProps {
  /** The page to return to. */
  returnTo: string
  button: string
  className?: string | undefined
  describedBy?: string | undefined
}

/** Stands in for a form that needs a recent sign-in: leads to the confirmation, and from there back to the page with the form. */
export const ConfirmFirst = ({ returnTo, button, className, describedBy }: ConfirmFirstProps) => (
  <form method="get" action="/confirm" aria-label={button} className={className}>
    <input type="hidden" name="to" value={returnTo} />
    <button className={controls.button} type="submit" aria-describedby={describedBy}>
      {button}
    </button>
  </form>
)
