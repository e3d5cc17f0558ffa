import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import styles from './part-links.module.css'

/** Navigation between the parts of an area, each with its own address. The router marks the current link. */
export function PartLinks({ label, children }: { label: string; children: ReactNode }) {
  const nav = useRef<HTMLElement>(null)
  const path = useLocation({ select: ({ pathname }) => pathname })
  // On a phone the links are wider than the screen.
  useEffect(() => scrollToCurrent(nav.current), [path])
  return (
    <nav ref={nav} className={styles.parts} aria-label={label}>
      {children}
    </nav>
  )
}

/** Scrolls horizontally only: `scrollIntoView` would also move the page. */
function scrollToCurrent(nav: HTMLElement | null) {
  const current = nav?.querySelector('[aria-current]')
  if (!nav || !current) return
  const [frame, link] = [nav.getBoundingClientRect(), current.getBoundingClientRect()]
  if (link.left < frame.left) nav.scrollLeft += link.left - frame.left
  else if (link.right > frame.right) nav.scrollLeft += link.right - frame.right
}

/** Round links to the sections of a screen, wrapped over several lines. */
export function PillLinks({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className={styles.pills} aria-label={label}>
      {children}
    </nav>
  )
}
