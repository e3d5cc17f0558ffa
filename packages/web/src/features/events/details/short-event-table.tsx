import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { eventName } from '../../../lib/screen-name.ts'
import { age } from '../../../lib/time/duration.ts'
import { DataTable } from '../../../ui/list/data-table.tsx'
import type { Column } from '../../../ui/list/list-columns.ts'
import { CellFlow, CellMark, CellText } from '../../../ui/list/list-table.tsx'
import { useNow } from '../../../ui/time/use-now.ts'
import { ZonedTime } from '../../../ui/time/zoned-time.tsx'
import type { ListedServiceEvent } from '../event-cache.ts'
import { raisedLabel, timesRaised } from '../event-text.ts'
import { ownerLabel, type Viewer } from '../owner/event-owner.ts'
import { SeverityBadge } from '../status/severity-badge.tsx'
import { StatusBlock } from '../status/status-block.tsx'
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
  const now = useNow()
  const columns = columnsFor(props.viewer, now)
  return (
    <DataTable
      label="Events"
      columns={props.showsInstrument ? columns : columns.filter(({ key }) => key !== 'instrument')}
      rows={props.rows}
      rowKey={({ alarm }) => alarm.id}
      expectedRows={4}
      isStale={props.isStale}
      isHeadHidden
      marksOf={({ removed }) => ({ 'data-removed': removed || undefined })}
    />
  )
}

const columnsFor = (viewer: Viewer, now: number): Column<ListedServiceEvent>[] => [
  {
    key: 'severity',
    label: 'Severity',
    width: 62,
    card: [1, 1],
    cell: ({ alarm }) => <SeverityBadge severity={alarm.severity} />,
  },
  {
    key: 'age',
    label: 'Age',
    width: 56,
    card: [1, 3],
    isQuiet: true,
    cell: ({ alarm }) => (
      <ZonedTime at={alarm.createdAt} siteZone={alarm.siteTimeZone}>
        {age(alarm.createdAt, now)}
      </ZonedTime>
    ),
  },
  {
    key: 'eventId',
    label: 'Event ID',
    width: 86,
    card: [1, 2],
    cell: ({ alarm }) => (
      <Text fw={500}>
        <Link to="/events/$eventId" params={{ eventId: alarm.eventId }}>
          {eventName(alarm)}
        </Link>
      </Text>
    ),
  },
  {
    key: 'description',
    label: 'Description',
    grow: 4,
    card: [2, 1],
    cell: ({ alarm: { description, latchedCount }, removed }) => (
      <CellFlow
        marks={
          <>
            {removed && <CellMark>deleted</CellMark>}
            {latchedCount > 0 && (
              <CellMark title={raisedLabel({ latchedCount })}>×{timesRaised({ latchedCount })}</CellMark>
            )}
          </>
        }
      >
        <CellText>{description}</CellText>
      </CellFlow>
    ),
  },
  {
    key: 'instrument',
    label: 'Instrument and customer',
    grow: 2,
    card: [3, 1],
    cell: ({ alarm: { instrumentInstalledProductId: id, enterpriseName, ...alarm } }) => (
      <>
        <Text className={styles.text} title={id}>
          {alarm.instrumentProductDescription ?? alarm.gatewayName ?? id}
        </Text>
        <Text className={styles.text} c="dimmed" dir="auto" title={enterpriseName}>
          {enterpriseName}
        </Text>
      </>
    ),
  },
  {
    key: 'owner',
    label: 'Owner',
    width: 96,
    grow: 1,
    card: [2, 2],
    cell: ({ alarm }) => <CellText isQuiet={alarm.claimedBy === null}>{ownerLabel(alarm, viewer)}</CellText>,
  },
  {
    key: 'status',
    label: 'Status',
    width: 40,
    card: [1, 4],
    cell: ({ alarm }) => <StatusBlock status={alarm.alertStatus} reason={alarm.reasonClosed} />,
  },
]
