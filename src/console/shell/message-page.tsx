import { ConsolePage, type Shell } from './console-page.tsx'

interface MessagePageProps {
  shell: Shell
  name: string
  text: string
}

/** Where there is nothing else to show: what happened, what was kept, what to do. */
export const MessagePage = ({ shell, name, text }: MessagePageProps) => (
  <ConsolePage shell={shell} name={name}>
    <p>{text}</p>
    <p>
      <a href="/">Back to the overview</a>
    </p>
  </ConsolePage>
)
