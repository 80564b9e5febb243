/** The key that presses a button, beside its words: seen where keys act. The button's name stays what it says. */
export const KeyHint = ({ of }: { of: string }) => (
  <span aria-hidden="true" data-key-hint="">
    {of}
  </span>
)
