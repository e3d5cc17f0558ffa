import { IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useScreenName } from '../../lib/screen-name.ts'
import { PrintHead } from '../print-head.tsx'
import { Chevron } from '../text/chevron.tsx'
import detailsBarStyles from './details-bar.module.css'
import styles from './details-head.module.css'
import { Breadcrumb } from './page-frame.tsx'

/** The list that a screen was opened from, with its parameters as the person left them. */
export interface ListLink {
  to: '/events' | '/instruments'
  search: Record<string, string>
  name: string
}

/**
 * Name and title of one thing, which the window is called by too, and the way back to its list: at the start by the list's name, at the end as the cross of a
 * window, which nobody takes for changing the thing. `note` stands beside the name and pushes nothing; `mark` and `badge`
 * stand before and after the title, and stay whole where that is cut.
 */
export function DetailsHead(props: {
  list: ListLink
  name: string
  note?: ReactNode
  /** The button of the screen's keys. */
  shortcuts: ReactNode
  mark?: ReactNode
  badge?: ReactNode
  children: ReactNode
}) {
  const { list, name } = props
  useScreenName(name)
  return (
    <div className={styles.head}>
      <PrintHead />
      <div className={styles.top}>
        <div className={styles.crumbs}>
          <Breadcrumb
            link={
              <Link to={list.to} search={list.search} className={styles.back}>
                <Chevron to="left" /> {list.name}
              </Link>
            }
            current={name}
          />
          {props.note !== undefined && (
            <span role="status" className={styles.note}>
              {props.note}
            </span>
          )}
        </div>
        <div className={styles.end}>
          {props.shortcuts}
          <Link
            to={list.to}
            search={list.search}
            className={styles.close}
            aria-label="Close"
            aria-keyshortcuts="u Escape"
            title="Close: back to the list"
          >
            <IconX size={18} stroke={1.7} aria-hidden="true" />
          </Link>
        </div>
      </div>
      <h1>
        {props.mark !== undefined && <span className={styles.mark}>{props.mark}</span>}
        <span className={styles.title}>{props.children}</span>
        {props.badge}
      </h1>
    </div>
  )
}

/** The last refresh failed: the picture stays, and says how old it is. `time`: 14:02. */
export function OutdatedNote(props: { what: string; time: string; onRetry: () => void }) {
  return (
    <>
      Could not get {props.what}; this is how it was at {props.time}.{' '}
      <button type="button" className={styles.again} onClick={props.onRetry}>
        Try again
      </button>
    </>
  )
}

/** Below the title of details: controls, the few facts that are wanted first, and what can be done. */
export function DetailsBar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className={detailsBarStyles.bar} aria-label={label}>
      {children}
    </section>
  )
}

/** Controls or actions beside each other. */
export function BarActions({ children }: { children: ReactNode }) {
  return <div className={detailsBarStyles.actions}>{children}</div>
}

export function BarFacts({ children }: { children: ReactNode }) {
  return <dl className={detailsBarStyles.facts}>{children}</dl>
}

/** One fact: its name above its value. */
export function BarFact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={detailsBarStyles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** Quieter words beside a value: its age, its unit. */
export function BarHint({ children }: { children: ReactNode }) {
  return <span className={detailsBarStyles.hint}>{children}</span>
}
