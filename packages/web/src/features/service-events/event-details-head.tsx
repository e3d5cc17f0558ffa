import { IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Breadcrumb } from '../../ui/breadcrumb.tsx'
import styles from './event-details-head.module.css'

/** Parameters of the list as the person left it. */
export type ListAddress = Record<string, string>

/** Name and title of an event, and the way back to the list. `note` stands beside the name and pushes nothing. */
export function EventDetailsHead(props: {
  name: string
  listAddress: ListAddress
  note?: ReactNode
  children: ReactNode
}) {
  const { name, listAddress } = props
  return (
    <div className={styles.head}>
      <div className={styles.words}>
        <div className={styles.crumbs}>
          <Breadcrumb
            link={
              <Link to="/events" search={listAddress}>
                Service Events
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
        <h1>{props.children}</h1>
      </div>
      <Link to="/events" search={listAddress} className={styles.close}>
        <IconX size={15} stroke={1.8} aria-hidden="true" /> Close
      </Link>
    </div>
  )
}
