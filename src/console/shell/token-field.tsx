/** In every form: without it the console takes nothing (docs/decisions/0175). */
export const TokenField = ({ token }: { token: string }) => (
  <input type="hidden" name="token" value={token} />
)
