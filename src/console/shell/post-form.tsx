import type { ComponentProps } from 'react'

interface PostFormProps extends Omit<ComponentProps<'form'>, 'method'> {
  action: string
  token: string
}

/** Every form that is posted: without its token the console takes nothing. */
export const PostForm = ({ token, children, ...form }: PostFormProps) => (
  <form {...form} method="post">
    <input type="hidden" name="token" value={token} />
    {children}
  </form>
)
