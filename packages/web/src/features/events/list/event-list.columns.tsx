import type { ServiceEvent } from '@benchwatch/contract/events'
import { alertStatusLabels, type EventOrderBy, severityNames } from '@benchwatch/contract/vocabulary'
import { IconActivity, IconTool } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { cityAndCountry } from '../../../lib/address.ts'
import { type KnownTypes, typeLabel } from '../../../lib/instrument-type.ts'
import { eventName } from '../../../lib/screen-name.ts'
import { formatTooltipTime } from '../../../lib/time/dates.ts'
import { age } from '../../../lib/time/duration.ts'
import { type ListColumn, type ListModel, readColumnKeys, usualKeys } from '../../../ui/list/list-columns.ts'
import { CellFlow, CellMark, CellText, WideWords } from '../../../ui/list/list-table.tsx'
import { ZonedTime } from '../../../ui/time/zoned-time.tsx'
import { InstrumentStatusDot } from '../../connections/instrument-status-dot.tsx'
import { featuresQuery, filtersQuery } from '../../users/users.api.ts'
import { contractTimeLeft, timeLeftColours, timeLeftLabel } from '../contract-clock.ts'
import type { ListedServiceEvent } from '../event-cache.ts'
import { ownerLabel, primaryAction, primaryActions, type Viewer } from '../event-owner.ts'
import { isDelayed } from '../event-text.ts'
import { EventValue } from '../event-value.ts'
import { defaultEventSearch, type EventColumnKey, type EventSearch, KEYWORD } from '../events.search.ts'
import { SeverityBadge } from '../severity-badge.tsx'
import { MailIcon, StatusBlock } from '../status-block.tsx'
import { NO_OWNER } from './event-filters.ts'
import styles from './event-list.module.css'

/** The columns of the event list, in the order of the specification. */

/** Values that cells show besides their event. */
export interface EventLook {
  viewer: Viewer
  types: KnownTypes
  now: number
  /** True if the user is in the user list, and so may own events. */
  mayOwn: boolean
  /** The time since when no instrument status could be confirmed; null if they are current. */
  statusesAsOf: number | null
}

export type EventColumn = ListColumn<EventColumnKey, EventOrderBy>
type EventColumns = ListModel<EventColumnKey, EventOrderBy, ListedServiceEvent, EventLook>

/** Browsers draw a title of ten thousand characters across the whole screen; the dropdown shows the full text. */
const LONGEST_TITLE = 300

// Texts of instruments and users may run in either direction: `dir="auto"`.
export const eventColumns: EventColumns = {
  caption: 'Service events',
  things: 'events',
  idOf: ({ alarm }) => alarm.id,
  nameOf: ({ alarm }) => eventName(alarm),
  isGone: ({ removed }) => removed === true,
  classes: styles,
  primary: {
    column: 'owner',
    of: ({ alarm }, look) => {
      const action = primaryAction(alarm, look)
      return action && { label: primaryActions[action], name: `${primaryActions[action]} ${eventName(alarm)}` }
    },
  },
  elastic: 'description',
  card: [
    ['severity', 'eventId', 'age', 'status'],
    ['description'],
    ['instrument', 'owner'],
    ['customer', 'timeLeft', 'email'],
    ['location', 'productId'],
  ],
  all: [
    { key: 'severity', label: 'Severity', orderBy: 'severity', width: 76 },
    { key: 'age', label: 'Age', orderBy: 'createdAt', isInverse: true, isQuiet: true, width: 66 },
    { key: 'eventId', label: 'Event', orderBy: 'eventId', width: 100 },
    { key: 'description', label: 'Description', orderBy: 'description', width: 220, narrow: 152 },
    {
      key: 'instrumentStatus',
      label: 'Instrument status',
      icon: <StatusIcon />,
      orderBy: 'instrumentStatus',
      width: 26,
      cardPlace: 'instrument',
    },
    { key: 'instrument', label: 'Instrument', orderBy: 'instrumentProductDescription', width: 124, narrow: 104 },
    {
      key: 'productId',
      label: 'Installed product ID',
      orderBy: 'instrumentInstalledProductId',
      width: 104,
      goes: 2,
      isExtra: true,
      isQuiet: true,
    },
    {
      key: 'location',
      label: 'Location',
      orderBy: 'siteCity',
      width: 118,
      narrow: 108,
      goes: 3,
      isExtra: true,
      isQuiet: true,
    },
    { key: 'customer', label: 'Customer', orderBy: 'enterpriseName', width: 156, narrow: 124 },
    { key: 'timeLeft', label: 'Time left', orderBy: 'contractClock', width: 100, narrow: 92, goes: 4 },
    { key: 'owner', label: 'Owner', orderBy: 'claimedBy', width: 100, narrow: 96, cardLabel: 'Owner' },
    { key: 'status', label: 'Status', orderBy: 'alertStatus', width: 62 },
    {
      key: 'email',
      label: 'E-mail sent',
      icon: <MailIcon />,
      orderBy: 'automaticEmailSentAt',
      width: 38,
      goes: 1,
      isExtra: true,
      isQuiet: true,
    },
  ],
  cells: {
    severity: ({ alarm: { severity } }) => (
      <EventValue category="severity" value={severity} name={severityNames[severity]}>
        <SeverityBadge severity={severity} />
      </EventValue>
    ),
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
    description: (row, _look, isOpen) => (
      <CellFlow marks={<EventMarks row={row} />}>
        <button
          type="button"
          className={styles.describe}
          data-action="describe"
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          title={row.alarm.description.slice(0, LONGEST_TITLE)}
          dir="auto"
        >
          {row.alarm.description}
        </button>
      </CellFlow>
    ),
    instrumentStatus: ({ alarm }, { statusesAsOf }) => (
      <InstrumentStatusDot status={alarm.instrumentStatus} asOf={statusesAsOf} />
    ),
    instrument: ({ alarm: { instrumentType: type, ...alarm } }, { types }) => (
      <EventValue category="instrumentType" value={type} name={type === null ? '' : typeLabel(types, type)}>
        <CellText>{alarm.isEdgeIssue ? alarm.gatewayName : alarm.instrumentProductDescription}</CellText>
      </EventValue>
    ),
    productId: ({ alarm }) => (
      <EventValue category={KEYWORD} value={alarm.instrumentInstalledProductId}>
        <CellText>{alarm.instrumentInstalledProductId}</CellText>
      </EventValue>
    ),
    location: ({ alarm }) => (
      <EventValue category="siteCity" value={alarm.siteCity}>
        <CellText>{cityAndCountry(alarm.siteCity, alarm.siteCountry)}</CellText>
      </EventValue>
    ),
    customer: ({ alarm }) => (
      <CellFlow marks={<ContractMarks event={alarm} />}>
        <EventValue category="enterpriseName" value={alarm.enterpriseName}>
          <CellText>{alarm.enterpriseName}</CellText>
        </EventValue>
      </CellFlow>
    ),
    timeLeft: ({ alarm }, { now }) => <ContractTimeLeft event={alarm} now={now} />,
    owner: ({ alarm }, { viewer }) => (
      <EventValue category="owner" value={alarm.claimedBy ?? NO_OWNER} name={ownerLabel(alarm, viewer)}>
        <CellText isQuiet={alarm.claimedBy === null}>{ownerLabel(alarm, viewer)}</CellText>
      </EventValue>
    ),
    status: ({ alarm: { alertStatus } }) => (
      <EventValue category="alertStatus" value={alertStatus} name={alertStatusLabels[alertStatus]}>
        <StatusBlock status={alertStatus} />
      </EventValue>
    ),
    email: ({ alarm }) => alarm.automaticEmailSentAt !== null && <MailIcon label="E-mail sent" />,
  },
}

/**
 * Returns the columns available to this user: the e-mail column needs AUTO_EMAIL, the time left a 24-hour contract in the
 * data scope. Until that is known, all columns are returned, as most users have both. The same object while nothing
 * changes.
 */
export function useEventColumns(): EventColumns {
  const { data: on } = useQuery(featuresQuery())
  const { data: values } = useQuery(filtersQuery())
  const hasEmail = on?.includes('AUTO_EMAIL') ?? true
  const hasClock = values?.eventFilter.find(({ key }) => key === 'contractClock')?.values.length !== 0
  return useMemo(() => {
    if (hasEmail && hasClock) return eventColumns
    const isThere = ({ key }: EventColumn) => (key !== 'email' || hasEmail) && (key !== 'timeLeft' || hasClock)
    return { ...eventColumns, all: eventColumns.all.filter(isThere) }
  }, [hasEmail, hasClock])
}

/** Keeps only available columns in order and selection: an address or a view may name others. */
export function withinColumns<S extends Pick<EventSearch, 'columns' | 'order' | 'orderBy'>>(
  search: S,
  columns: EventColumns,
): S {
  const isThere = columns.all.some(({ orderBy }) => orderBy === search.orderBy)
  const { order, orderBy } = isThere ? search : defaultEventSearch
  return { ...search, order, orderBy, columns: readColumnKeys(usualKeys(columns), search.columns ?? []) }
}

/** A dot in a ring. */
function StatusIcon() {
  return (
    <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      {' '}
      <circle cx="8" cy="8" r="5.6" fill="none" stroke="currentColor" strokeWidth="1.3" />{' '}
      <circle cx="8" cy="8" r="2.6" fill="currentColor" />{' '}
    </svg>
  )
}

/** Marks beside the description. */
function EventMarks({ row: { alarm: event, removed } }: { row: ListedServiceEvent }) {
  return (
    <>
      {removed && <CellMark>deleted</CellMark>}
      {isDelayed(event) && (
        <CellMark tone="warning" title="Stored at least 1 hour after the instrument logged it">
          delayed
        </CellMark>
      )}
      {event.duringMaintenance && (
        <CellMark title="During maintenance of the instrument">
          <IconTool size={11} stroke={1.8} aria-hidden="true" />
          <WideWords>maintenance</WideWords>
        </CellMark>
      )}
      {event.latchedCount > 0 && (
        <CellMark title={`Raised ${event.latchedCount + 1} times`}>×{event.latchedCount + 1}</CellMark>
      )}
      {event.clearedAt === null && event.alertStatus !== '3_CLOSED' && (
        <span
          role="img"
          className={styles.active}
          aria-label="Still active"
          title="Still active: the instrument has not reported a return to normal"
        >
          <IconActivity size={14} stroke={2} aria-hidden="true" />
        </span>
      )}
    </>
  )
}

/** The time left on a running contract clock, with the moment at which it runs out. */
function ContractTimeLeft({ event, now }: { event: ServiceEvent; now: number }) {
  const running = contractTimeLeft(event, now)
  if (running === null) return null
  const due = new Date(now + running.left * 1000)
  return (
    <span
      style={{
        color: timeLeftColours[running.tone],
        fontWeight: running.tone === 'calm' ? undefined : 600,
        // Two lines rather than a wider column.
        display: 'block',
        lineHeight: '16px',
        whiteSpace: 'normal',
      }}
      title={`24-hour contract: acknowledge by ${formatTooltipTime(due)}`}
    >
      {timeLeftLabel(running)}
    </span>
  )
}

/** Marks for the contract of the instrument. */
function ContractMarks({ event }: { event: ServiceEvent }) {
  return (
    <>
      {event.fullSupport && (
        <CellMark tone="accent" title="24-hour contract">
          24 h
        </CellMark>
      )}
      {event.tierOne && <CellMark title="Tier 1">T1</CellMark>}
    </>
  )
}
