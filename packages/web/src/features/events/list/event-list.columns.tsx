import type { ServiceEvent } from '@benchwatch/contract/events/events'
import {
  alertStatusLabels,
  type EventColumnKey,
  type EventOrderBy,
  eventColumnLabels as labels,
  severityNames,
} from '@benchwatch/contract/vocabulary'
import { IconActivity, IconClockUp, IconHourglass, IconTool } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { cityAndCountry } from '../../../lib/address.ts'
import { type KnownTypes, typeLabel } from '../../../lib/instrument-type.ts'
import { eventName } from '../../../lib/screen-name.ts'
import { formatTooltipTime } from '../../../lib/time/dates.ts'
import { age } from '../../../lib/time/duration.ts'
import { type Column, type ListModel, readColumnKeys, usualKeys } from '../../../ui/list/list-columns.ts'
import { CellFlow, CellMark, CellText, WideWords } from '../../../ui/list/list-table.tsx'
import { ZonedTime } from '../../../ui/time/zoned-time.tsx'
import { InstrumentStatusDot } from '../../connections/instrument-status-dot.tsx'
import { featuresQuery, filtersQuery } from '../../users/users.api.ts'
import { contractTimeLeft, timeLeftColours, timeLeftLabel } from '../contract-clock.ts'
import type { ListedServiceEvent } from '../event-cache.ts'
import { isActive, isAhead, isDelayed, markSentences, raisedLabel, timesRaised } from '../event-text.ts'
import { EventValue } from '../event-value.ts'
import { defaultEventSearch, type EventSearch, KEYWORD } from '../events.search.ts'
import { ownerLabel, primaryAction, primaryActions, type Viewer } from '../owner/event-owner.ts'
import { SeverityBadge } from '../status/severity-badge.tsx'
import { MailIcon, StatusBlock } from '../status/status-block.tsx'
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

export type EventColumn = Column<ListedServiceEvent, EventLook, EventColumnKey, EventOrderBy>
type EventColumns = ListModel<EventColumnKey, EventOrderBy, ListedServiceEvent, EventLook>

// Made once, because React skips an element that is the same as before.
const severityCells = cellsOf(severityNames, (severity, name) => (
  <EventValue category="severity" value={severity} name={name}>
    <SeverityBadge severity={severity} />
  </EventValue>
))
const statusCells = cellsOf(alertStatusLabels, (status, name) => (
  <EventValue category="alertStatus" value={status} name={name}>
    <StatusBlock status={status} />
  </EventValue>
))

// Texts of instruments and users may run in either direction: `dir="auto"`.
export const eventColumns: EventColumns = {
  caption: 'Service events',
  things: 'events',
  idOf: ({ alarm }) => alarm.id,
  nameOf: ({ alarm }) => eventName(alarm),
  isGone: ({ removed }) => removed === true,
  primary: {
    column: 'owner',
    of: ({ alarm }, look) => {
      const action = primaryAction(alarm, look)
      return action && { label: primaryActions[action], name: `${primaryActions[action]} ${eventName(alarm)}` }
    },
  },
  all: [
    {
      key: 'severity',
      label: labels.severity,
      orderBy: 'severity',
      width: 74,
      card: [1, 1],
      cell: ({ alarm }) => severityCells[alarm.severity],
    },
    {
      key: 'age',
      label: labels.age,
      orderBy: 'createdAt',
      isInverse: true,
      width: 60,
      card: [1, 3],
      isQuiet: true,
      cell: ({ alarm }, { now }) => (
        <ZonedTime at={alarm.createdAt} siteZone={alarm.siteTimeZone}>
          {age(alarm.createdAt, now)}
        </ZonedTime>
      ),
    },
    {
      key: 'eventId',
      label: labels.eventId,
      orderBy: 'eventId',
      width: 96,
      card: [1, 2],
      cell: ({ alarm }) => (
        <a href={`/events/${alarm.eventId}`} data-action="open">
          {eventName(alarm)}
        </a>
      ),
    },
    {
      key: 'description',
      label: labels.description,
      orderBy: 'description',
      width: 220,
      grow: 1,
      compact: 400,
      narrow: 152,
      goes: 4,
      card: [2, 1],
      className: styles.description,
      cell: (row, _look, isOpen) => (
        <CellFlow marks={<EventMarks row={row} />}>
          <button
            type="button"
            className={styles.describe}
            data-action="describe"
            aria-haspopup="dialog"
            aria-expanded={isOpen}
          >
            <CellText>{row.alarm.description}</CellText>
          </button>
        </CellFlow>
      ),
    },
    {
      key: 'instrumentStatus',
      label: labels.instrumentStatus,
      icon: <StatusIcon />,
      orderBy: 'instrumentStatus',
      width: 26,
      card: [3, 1],
      className: styles.instrumentStatus,
      cell: ({ alarm }, { statusesAsOf }) => (
        <InstrumentStatusDot status={alarm.instrumentStatus} asOf={statusesAsOf} />
      ),
    },
    {
      key: 'instrument',
      label: labels.instrument,
      orderBy: 'instrumentProductDescription',
      width: 108,
      narrow: 98,
      card: [3, 1],
      className: styles.instrument,
      cell: ({ alarm: { instrumentType: type, ...alarm } }, { types }) => (
        <EventValue
          category="instrumentType"
          value={type}
          name={type === null ? '' : typeLabel(types, type)}
          text={alarm.isEdgeIssue ? alarm.gatewayName : alarm.instrumentProductDescription}
        />
      ),
    },
    {
      key: 'productId',
      label: labels.productId,
      orderBy: 'instrumentInstalledProductId',
      width: 104,
      goes: 2,
      card: [5, 2],
      isExtra: true,
      isQuiet: true,
      className: styles.productId,
      cell: ({ alarm }) => (
        <EventValue
          category={KEYWORD}
          value={alarm.instrumentInstalledProductId}
          text={alarm.instrumentInstalledProductId}
        />
      ),
    },
    {
      key: 'location',
      label: labels.location,
      orderBy: 'siteCity',
      width: 108,
      goes: 3,
      card: [5, 1],
      isExtra: true,
      isQuiet: true,
      cell: ({ alarm }) => (
        <EventValue
          category="siteCity"
          value={alarm.siteCity}
          text={cityAndCountry(alarm.siteCity, alarm.siteCountry)}
        />
      ),
    },
    {
      key: 'customer',
      label: labels.customer,
      orderBy: 'enterpriseName',
      width: 146,
      compact: 156,
      narrow: 116,
      card: [4, 1],
      className: styles.customer,
      cell: ({ alarm }) => (
        <CellFlow marks={<ContractMarks event={alarm} />}>
          <EventValue category="enterpriseName" value={alarm.enterpriseName} text={alarm.enterpriseName} />
        </CellFlow>
      ),
    },
    {
      key: 'timeLeft',
      label: labels.timeLeft,
      orderBy: 'contractClock',
      width: 92,
      goes: 5,
      card: [4, 2],
      cardLabel: labels.timeLeft,
      cell: ({ alarm }, { now }) => <ContractTimeLeft event={alarm} now={now} />,
    },
    {
      key: 'owner',
      label: labels.owner,
      orderBy: 'claimedBy',
      width: 96,
      card: [3, 2],
      cardLabel: labels.owner,
      cell: ({ alarm }, { viewer }) => (
        <EventValue
          category="owner"
          value={alarm.claimedBy ?? NO_OWNER}
          name={ownerLabel(alarm, viewer)}
          text={ownerLabel(alarm, viewer)}
          isQuiet={alarm.claimedBy === null}
        />
      ),
    },
    {
      key: 'status',
      label: labels.status,
      orderBy: 'alertStatus',
      width: 60,
      card: [1, 4],
      cell: ({ alarm }) => statusCells[alarm.alertStatus],
    },
    {
      key: 'email',
      label: labels.email,
      icon: <MailIcon />,
      orderBy: 'automaticEmailSentAt',
      width: 38,
      goes: 1,
      card: [4, 3],
      isExtra: true,
      isQuiet: true,
      cell: ({ alarm }) => alarm.automaticEmailSentAt !== null && <MailIcon label="E-mail sent" />,
    },
  ],
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

function cellsOf<Value extends string>(
  names: Record<Value, string>,
  cell: (value: Value, name: string) => ReactNode,
): Record<Value, ReactNode> {
  const values = Object.keys(names) as Value[]
  return Object.fromEntries(values.map((value) => [value, cell(value, names[value])])) as Record<Value, ReactNode>
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

/** Marks beside the description. A tooltip explains each, and the expanded row for users without one. */
function EventMarks({ row: { alarm: event, removed } }: { row: ListedServiceEvent }) {
  return (
    <>
      {removed && <CellMark>deleted</CellMark>}
      {isDelayed(event) && (
        <CellMark tone="warning" title={markSentences.delayed}>
          <IconHourglass size={11} stroke={1.8} aria-hidden="true" />
          <WideWords>delayed</WideWords>
        </CellMark>
      )}
      {isAhead(event) && (
        <CellMark tone="warning" title={markSentences.ahead}>
          <IconClockUp size={11} stroke={1.8} aria-hidden="true" />
          <WideWords>clock ahead</WideWords>
        </CellMark>
      )}
      {event.duringMaintenance && (
        <CellMark title={markSentences.maintenance}>
          <IconTool size={11} stroke={1.8} aria-hidden="true" />
          <WideWords>maintenance</WideWords>
        </CellMark>
      )}
      {event.latchedCount > 0 && <CellMark title={raisedLabel(event)}>×{timesRaised(event)}</CellMark>}
      {isActive(event) && (
        <span role="img" className={styles.active} aria-label="Still active" title={markSentences.active}>
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
        // Being overdue takes two lines rather than a wider column.
        display: 'inline-block',
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
