import { IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Breadcrumb } from '../../ui/breadcrumb.tsx'
import { Chevron } from '../../ui/chevron.tsx'
import styles from './event-details-head.module.css'
import { EventShortcuts } from './event-shortcuts.tsx'

/** Parameters of the list as the person left it. */
export type ListAddress = Record<string, string>

/**
 * Name and title of an event, and the way back to the list: at the start by its name, at the end as the cross of a
 * window, which nobody takes for closing the event. `note` stands beside the name and pushes nothing.
 */
export function EventDetailsHead(props: {
  name: string
  listAddress: ListAddress
  note?: ReactNode
  children: ReactNode
}) {
  const { name, listAddress } = props
  return (
    <div className={styles.head}>
      <div className={styles.top}>
        <div className={styles.crumbs}>
          <Breadcrumb
            link={
              <Link to="/events" search={listAddress} className={styles.back}>
                <Chevron to="left" /> Service Events
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
          <EventShortcuts />
          <Link
            to="/events"
            search={listAddress}
            className={styles.close}
            aria-label="Close"
            aria-keyshortcuts="u Escape"
            title="Close: back to the list"
          >
            <IconX size={18} stroke={1.7} aria-hidden="true" />
          </Link>
        </div>
      </div>
      <h1>{props.children}</h1>
    </div>
  )
}
