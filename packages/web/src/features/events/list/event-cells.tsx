import type { ServiceEvent } from '@benchwatch/contract/events'
import { IconTool } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { cityAndCountry } from '../../../lib/address.ts'
import { eventName } from '../../../lib/screen-name.ts'
import { age } from '../../../lib/time/duration.ts'
import table from '../../../ui/list/list-table.module.css'
import { CellText } from '../../../ui/list/list-table.tsx'
import { ZonedTime } from '../../../ui/time/zoned-time.tsx'
import { InstrumentStatusDot } from '../../connections/instrument-status-dot.tsx'
import type { ListedServiceEvent } from '../event-cache.ts'
import { ownerLabel, type Viewer } from '../event-owner.ts'
import { isDelayed } from '../event-text.ts'
import { SeverityBadge } from '../severity-badge.tsx'
import { MailIcon, StatusBlock } from '../status-block.tsx'
import type { EventColumnKey } from './event-list.columns.ts'
import styles from './event-table.module.css'

interface Look {
  viewer: Viewer
  now: number
  isDescribed: boolean
  statusesAsOf: number | null
}

/** Cells by column. Texts of instruments and users may run in either direction: `dir="auto"`. */
export const eventCells: Record<EventColumnKey, (row: ListedServiceEvent, look: Look) => ReactNode> = {
  severity: ({ alarm }) => <SeverityBadge severity={alarm.severity} />,
  age: ({ alarm }, { now }) => (
    <ZonedTime at={alarm.createdAt} siteZone={alarm.siteTimeZone}>
      {age(alarm.createdAt, now)}
    </ZonedTime>
  ),
  eventId: ({ alarm }) => (
    <a href={`/events/${alarm.eventId}`} data-action="open">
      {eventName(alarm)}
    </a>
  ),
  description: (row, { isDescribed }) => (
    <div className={table.flow}>
      <button
        type="button"
        className={styles.describe}
        data-action="describe"
        aria-haspopup="dialog"
        aria-expanded={isDescribed}
        title={row.alarm.description.slice(0, LONGEST_TITLE)}
        dir="auto"
      >
        {row.alarm.description}
      </button>
      <span className={styles.marks}>
        <EventMarks row={row} />
      </span>
    </div>
  ),
  instrumentStatus: ({ alarm }, { statusesAsOf }) => (
    <InstrumentStatusDot status={alarm.instrumentStatus} asOf={statusesAsOf} />
  ),
  instrument: ({ alarm }) => (
    <CellText>{alarm.isEdgeIssue ? alarm.gatewayName : alarm.instrumentProductDescription}</CellText>
  ),
  productId: ({ alarm }) => <CellText>{alarm.instrumentInstalledProductId}</CellText>,
  location: ({ alarm }) => <CellText>{cityAndCountry(alarm.siteCity, alarm.siteCountry)}</CellText>,
  customer: ({ alarm }) => (
    <div className={table.flow}>
      <CellText>{alarm.enterpriseName}</CellText>
      <span className={styles.marks}>
        <ContractMarks event={alarm} />
      </span>
    </div>
  ),
  owner: ({ alarm }, { viewer }) => {
    const owner = ownerLabel(alarm, viewer)
    return (
      <span className={table.text} data-none={alarm.claimedBy === null || undefined} title={owner} dir="auto">
        {owner}
      </span>
    )
  },
  status: ({ alarm }) => <StatusBlock status={alarm.alertStatus} />,
  email: ({ alarm }) => alarm.automaticEmailSentAt !== null && <MailIcon label="E-mail sent" />,
}

/** Browsers draw a title of ten thousand characters across the whole screen; the dropdown shows the full text. */
const LONGEST_TITLE = 300

/** Marks beside the description. */
function EventMarks({ row: { alarm: event, removed } }: { row: ListedServiceEvent }) {
  return (
    <>
      {removed && <span className={table.mark}>deleted</span>}
      {isDelayed(event) && (
        <span className={table.mark} data-tone="warning" title="Stored at least 1 hour after the instrument logged it">
          delayed
        </span>
      )}
      {event.duringMaintenance && (
        <span className={table.mark} title="During maintenance of the instrument">
          <IconTool size={11} stroke={1.8} aria-hidden="true" />
          <span className={styles.wide}>maintenance</span>
        </span>
      )}
      {event.latchedCount > 0 && (
        <span className={table.mark} title={`Raised ${event.latchedCount + 1} times`}>
          ×{event.latchedCount + 1}
        </span>
      )}
      {event.clearedAt !== null && (
        <span className={table.mark} title="The instrument returned to normal">
          <span className={styles.wide}>returned to </span>normal
        </span>
      )}
    </>
  )
}

/** Marks for the contract of the instrument. */
function ContractMarks({ event }: { event: ServiceEvent }) {
  return (
    <>
      {event.fullSupport && (
        <span className={styles.support} title="24-hour contract">
          24 h
        </span>
      )}
      {event.tierOne && (
        <span className={table.mark} title="Tier 1">
          T1
        </span>
      )}
    </>
  )
}
