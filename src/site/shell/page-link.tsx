import type { ReactNode } from 'react'

interface PageLinkProps {
  href: string
  /** The path of the page that it stands on. */
  path: string | undefined
  className?: string | undefined
  children: ReactNode
}

/** Names the page that one is on and leads to any other: what leads nowhere is no link (reading 15). */
export function PageLink({ href, path, className, children }: PageLinkProps) {
  return href === path ? (
    <span className={className} aria-current="page">
      {children}
    </span>
  ) : (
    <a className={className} href={href}>
      {children}
    </a>
  )
}
