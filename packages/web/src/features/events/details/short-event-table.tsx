import { Badge, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { memo, type ReactNode } from 'react'
import { eventName } from '../../../lib/screen-name.ts'
import { age } from '../../../lib/time/duration.ts'
import { SkeletonLine } from '../../../ui/text/skeleton.tsx'
import { useNow } from '../../../ui/time/use-now.ts'
import { ZonedTime } from '../../../ui/time/zoned-time.tsx'
import type { ListedServiceEvent } from '../event-cache.ts'
import { ownerLabel, type Viewer } from '../event-owner.ts'
import { SeverityBadge } from '../severity-badge.tsx'
import { StatusBlock } from '../status-block.tsx'
import styles from './event-details.module.css'

/**
 * Table of events beside other content, with few columns; in narrow places each row becomes a card. `rows` is
 * undefined until it is read. Set `showsInstrument` if the events are of several instruments.
 */
export function ShortEventTable(props: {
  rows: readonly ListedServiceEvent[] | undefined
  viewer: Viewer
  showsInstrument: boolean
  isStale: boolean
}) {
  const { rows, viewer, showsInstrument } = props
  const now = useNow()
  return (
    <div className={styles.frame} aria-busy={rows === undefined || props.isStale}>
      <table className={styles.table} data-wide={showsInstrument || undefined}>
        {/* A hidden head takes no part in the layout, so the widths are set here. */}
        <colgroup>
          <col width={86} />
          <col width={72} />
          <col width={102} />
          <col />
          {showsInstrument && <col width="24%" />}
          <col width="15%" />
          <col width={56} />
        </colgroup>
        <VisuallyHidden component="thead">
          <tr>
            <th scope="col">Severity</th>
            <th scope="col">Age</th>
            <th scope="col">Event ID</th>
            <th scope="col">Description</th>
            {showsInstrument && <th scope="col">Instrument and customer</th>}
            <th scope="col">Owner</th>
            <th scope="col">Status</th>
          </tr>
        </VisuallyHidden>
        <tbody data-stale={props.isStale || undefined}>
          {rows?.map((row) => (
            <ShortRow key={row.alarm.id} row={row} viewer={viewer} showsInstrument={showsInstrument} now={now} />
          ))}
          {rows === undefined && <WaitingRows columns={showsInstrument ? 7 : 6} />}
        </tbody>
      </table>
    </div>
  )
}

const ShortRow = memo(function ShortRow(props: {
  row: ListedServiceEvent
  viewer: Viewer
  showsInstrument: boolean
  now: number
}) {
  const { row, viewer, now } = props
  const event = row.alarm
  const owner = ownerLabel(event, viewer)
  const instrument = event.instrumentProductDescription ?? event.gatewayName ?? event.instrumentInstalledProductId
  return (
    <tr data-row data-removed={row.removed || undefined}>
      <td style={{ gridArea: 'severity' }}>
        <SeverityBadge severity={event.severity} />
      </td>
      <td className={styles.age} style={{ gridArea: 'age' }}>
        <ZonedTime at={event.createdAt} siteZone={event.siteTimeZone}>
          {age(event.createdAt, now)}
        </ZonedTime>
      </td>
      <td className={styles.eventId} style={{ gridArea: 'eventId' }}>
        <Link to="/events/$eventId" params={{ eventId: event.eventId }}>
          {eventName(event)}
        </Link>
      </td>
      <td style={{ gridArea: 'description' }}>
        <div className={styles.flow}>
          <span className={styles.text} dir="auto" title={event.description}>
            {event.description}
          </span>
          {row.removed && <Mark>deleted</Mark>}
          {event.latchedCount > 0 && (
            <Mark title={`Raised ${event.latchedCount + 1} times`}>×{event.latchedCount + 1}</Mark>
          )}
        </div>
      </td>
      {props.showsInstrument && (
        <td className={styles.instrument} style={{ gridArea: 'instrument' }}>
          <span className={styles.text} title={`${instrument} · ${event.instrumentInstalledProductId}`}>
            {instrument}
          </span>
          <span className={styles.text} data-quiet title={event.enterpriseName} dir="auto">
            {event.enterpriseName}
          </span>
        </td>
      )}
      <td style={{ gridArea: 'owner' }}>
        <span className={styles.text} data-quiet={event.claimedBy === null || undefined} title={owner} dir="auto">
          {owner}
        </span>
      </td>
      <td style={{ gridArea: 'status' }}>
        <StatusBlock status={event.alertStatus} reason={event.reasonClosed} />
      </td>
    </tr>
  )
})

function Mark({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <Badge variant="default" size="sm" radius={5} px={5} fw={400} c="dimmed" flex="none" title={title}>
      {children}
    </Badge>
  )
}

/** Skeleton rows while the first answer loads. */
const WAITING = 4

function WaitingRows({ columns }: { columns: number }) {
  return Array.from({ length: WAITING }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: grey bars are all the same.
    <tr key={index}>
      <td colSpan={columns}>
        {index === 0 && <VisuallyHidden role="status">Loading events…</VisuallyHidden>}
        <SkeletonLine width={`${88 - index * 11}%`} />
      </td>
    </tr>
  ))
}
