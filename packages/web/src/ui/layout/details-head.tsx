import { IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useScreenName } from '../../lib/screen-name.ts'
import { PrintHead } from '../print-head.tsx'
import { Chevron } from '../text/chevron.tsx'
import detailsBarStyles from './details-bar.module.css'
import styles from './details-head.module.css'
import { Breadcrumb } from './page-frame.tsx'

/** The list from which a screen was opened, with its parameters as the user left them. */
export interface ListLink {
  to: '/events' | '/instruments'
  search: Record<string, string>
  name: string
}

/**
 * Name and title of one item, also used as window title, with two ways back to the list: its name at the start and a
 * cross at the end. `note` follows the name without moving anything; `mark` and `badge` surround the title and are
 * never truncated.
 */
export function DetailsHead(props: {
  list: ListLink
  name: string
  note?: ReactNode
  /** The shortcuts button of the screen. */
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

/** Shown when a refresh failed: the data stay, with their time, e.g. 14:02. */
export function OutdatedNote(props: { what: string; time: string; onRetry: () => void }) {
  return (
    <>
      Could not get {props.what}; showing data from {props.time}.{' '}
      <button type="button" className={styles.again} onClick={props.onRetry}>
        Try again
      </button>
    </>
  )
}

/** The bar below the title of a details screen: controls, key facts and actions. */
export function DetailsBar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className={detailsBarStyles.bar} aria-label={label}>
      {children}
    </section>
  )
}

/** A row of controls or actions. */
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

/** Secondary text next to a value, such as its age or unit. */
export function BarHint({ children }: { children: ReactNode }) {
  return <span className={detailsBarStyles.hint}>{children}</span>
}
