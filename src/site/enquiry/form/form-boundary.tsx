import { Component, type ReactNode } from 'react'

interface FormBoundaryProps {
  /** Shown once something has failed. */
  plain: ReactNode
  children: ReactNode
}

/**
 * Keeps a form on the page whatever happens to it: where somebody else has changed the page's markup under React's hands,
 * React gives up what stands here.
 */
export class FormBoundary extends Component<FormBoundaryProps> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    return this.state.hasFailed ? this.props.plain : this.props.children
  }
}
