import type { ServiceResponse } from '@benchwatch/contract/event-details'
import type { ServiceEvent } from '@benchwatch/contract/events'
import { alertStatusLabels } from '@benchwatch/contract/vocabulary'
import { Button } from '@mantine/core'
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isNotFound } from '../../../lib/http.ts'
import { eventName } from '../../../lib/screen-name.ts'
import { formatClock, formatEventDate, formatEventTime } from '../../../lib/time/dates.ts'
import { agePhrase, formatElapsed } from '../../../lib/time/duration.ts'
import { Card } from '../../../ui/layout/card.tsx'
import {
  BarActions,
  BarFact,
  BarFacts,
  BarHint,
  DetailsBar,
  DetailsHead,
  OutdatedNote,
} from '../../../ui/layout/details-head.tsx'
import styles from '../../../ui/layout/details-page.module.css'
import { BlockedButton } from '../../../ui/overlay/blocked-button.tsx'
import { useShortcuts } from '../../../ui/overlay/use-shortcuts.ts'
import { EmailLink, PhoneLink } from '../../../ui/text/contact-line.tsx'
import { Dash, Fact, FactList, Named } from '../../../ui/text/fact.tsx'
import { ErrorState, RetryLine } from '../../../ui/text/notice.tsx'
import { DetailsSkeleton } from '../../../ui/text/skeleton.tsx'
import { useNow } from '../../../ui/time/use-now.ts'
import { Deadline, ZonedTime } from '../../../ui/time/zoned-time.tsx'
import { usePrinting } from '../../../ui/use-printing.ts'
import { EmailDropdown } from '../../event-emails/email-dropdown.tsx'
import { ShareButton } from '../../event-emails/share-button.tsx'
import { PageLogs } from '../../logs/viewer/view-logs.tsx'
import { usersQuery } from '../../users/users.api.ts'
import { AroundEvent } from '../around/around-event.tsx'
import { ClosingCard } from '../close/closing-card.tsx'
import { useCloseDialog } from '../close/use-close-dialog.tsx'
import { mayAssignToMe, mayChangeStatus, ownerLabel, type Viewer, whyNotOwner } from '../event-owner.ts'
import { siteAddress, slaLabel } from '../event-text.ts'
import { DETAILS_POLL_MS, detailsQuery, serviceEventKeys, serviceResponseQuery } from '../events.api.ts'
import { EventShortcuts } from '../list/event-shortcuts.tsx'
import { OwnerPicker } from '../owner-picker.tsx'
import { SeverityBadge } from '../severity-badge.tsx'
import { StatusMenu } from '../status-menu.tsx'
import { useEventActions } from '../use-event-actions.ts'
import { ContractClockFact } from './contract-clock-fact.tsx'
import { EventHistoryCard } from './event-history-card.tsx'
import { PriorEvents } from './prior-events.tsx'
import { SimilarEvents } from './similar-events.tsx'
import { Advice, WhatHappened } from './what-happened.tsx'

const spans: readonly { key: keyof ServiceResponse; name: string; hint: string }[] = [
  { key: 'alertToAcknowledgeTime', name: 'To acknowledge', hint: 'From creation until it was taken' },
  { key: 'duration', name: 'In progress', hint: 'From when it was taken until it was closed' },
  { key: 'eventReasonClosed', name: 'To close', hint: 'From creation until it was closed' },
]

/**
 * Shows one event in full. `eventId` may start with ORC-. Closing returns to the list at `listAddress`. `sideCard` is
 * the card of another feature about this event.
 */
export function EventDetails(props: {
  eventId: string
  viewer: Viewer
  listAddress: Record<string, string>
  sideCard: (event: ServiceEvent) => ReactNode
  /** Additional actions at the end of the bar. */
  more?: (event: ServiceEvent) => ReactNode
}) {
  const digits = props.eventId.replace(/^ORC-/i, '')
  const details = useQuery({ ...detailsQuery(digits), refetchInterval: DETAILS_POLL_MS })
  const list = { to: '/events', search: props.listAddress, name: 'Service Events' } as const
  const name = eventName({ eventId: digits })
  const head = { name, list, shortcuts: <EventShortcuts /> }
  const event = details.data
  useEventDetailsKeys({ event, viewer: props.viewer, listAddress: props.listAddress })

  if (event !== undefined && !isNotFound(details.error))
    return (
      <div className={styles.page}>
        <DetailsHead
          {...head}
          note={details.isError && <Outdated details={details} />}
          mark={<SeverityBadge severity={event.severity} />}
        >
          <span dir="auto">{event.description}</span>
        </DetailsHead>
        <EventStatusBar event={event} viewer={props.viewer} more={props.more?.(event)} />
        <Cards event={event} viewer={props.viewer} sideCard={props.sideCard(event)} />
      </div>
    )
  if (details.isPending)
    return (
      <div className={styles.page} aria-busy="true">
        <DetailsHead {...head}>
          <span role="status" className={styles.loading}>
            Loading event…
          </span>
        </DetailsHead>
        <DetailsSkeleton
          columns={[
            [11, 3, 7],
            [6, 8, 2, 4],
          ]}
        />
      </div>
    )
  return (
    <div className={styles.page}>
      <DetailsHead {...head}>
        <span>Event {name}</span>
      </DetailsHead>
      {isNotFound(details.error) ? (
        <ErrorState title="Event could not be found.">
          {event !== undefined
            ? 'It was deleted, or moved to a customer that you can’t see, while it was open here.'
            : 'It may have been deleted, or it belongs to a customer that you can’t see. Check the number in the address.'}
        </ErrorState>
      ) : (
        <ErrorState title="Could not get event" onRetry={() => void details.refetch()}>
          {details.error?.message}
        </ErrorState>
      )}
    </div>
  )
}

/**
 * Arranges the cards in columns of roughly equal height, in an order that also works on a phone. The table below takes
 * the full width.
 */
function Cards({ event, viewer, sideCard }: { event: ServiceEvent; viewer: Viewer; sideCard: ReactNode }) {
  return (
    <>
      <div className={styles.columns}>
        <div className={styles.column}>
          <ClosingCard event={event} viewer={viewer} />
          <WhatHappened event={event} />
          <Advice title="Troubleshooting" html={event.troubleshooting} />
          <Advice title="Remedy" html={event.remedy} />
          <CustomerCard event={event} />
        </div>
        <div className={styles.column}>
          <AroundEvent event={event} />
          <PriorEvents event={event} />
          <ServiceResponseCard event={event} />
          {sideCard}
          <EventHistoryCard event={event} />
        </div>
      </div>
      <SimilarEvents event={event} viewer={viewer} />
    </>
  )
}

function Outdated({ details }: { details: UseQueryResult<ServiceEvent> }) {
  return <OutdatedNote what="event" time={formatClock(details.dataUpdatedAt)} onRetry={() => void details.refetch()} />
}

/** Keyboard shortcuts on the event page, listed in `event-shortcuts.tsx`. `event` is undefined until it is read. */
function useEventDetailsKeys(props: {
  event: ServiceEvent | undefined
  viewer: Viewer
  listAddress: Record<string, string>
}): void {
  const { event, viewer } = props
  const { data: users = [] } = useQuery(usersQuery())
  const { assign, isPending } = useEventActions(viewer)
  const navigate = useNavigate()
  const back = () => void navigate({ to: '/events', search: props.listAddress })

  useShortcuts({
    a: () => {
      const me = users.find(({ id }) => id === viewer.id)
      if (event && me && !isPending && mayAssignToMe(event, viewer, users)) void assign(event, me)
    },
    // The share form belongs to its button, which declares this key.
    s: () => document.querySelector<HTMLElement>('[aria-keyshortcuts="s"]')?.click(),
    u: back,
    Escape: back,
  })
}

/** Shows how quickly the event was taken and closed, as 'NNd / NNh / NNm', or a dash if that has not happened yet. */
export function ServiceResponseCard({ event }: { event: ServiceEvent }) {
  const response = useQuery(serviceResponseQuery(event))
  return (
    <Card title="Service response">
      {response.isError && response.data === undefined ? (
        <RetryLine onRetry={() => void response.refetch()}>Could not get the service response.</RetryLine>
      ) : (
        <div className={styles.room}>
          <dl className={styles.spans}>
            {spans.map(({ key, name, hint }) => (
              <div key={key} title={hint}>
                <dt>{name}</dt>
                <dd>{elapsedLabel(response.data?.[key])}</dd>
              </div>
            ))}
          </dl>
        </div>
      )}
    </Card>
  )
}

/** Shows nothing until the value is read, so the layout does not move. */
function elapsedLabel(seconds: number | null | undefined): ReactNode {
  if (seconds === undefined) return '\u00a0'
  return seconds === null ? <Dash /> : formatElapsed(seconds)
}

/** Shows the customer, the contract's terms and the contacts: document 1 sections 2 and 5. */
function CustomerCard({ event }: { event: ServiceEvent }) {
  return (
    <Card title="Customer">
      <div className={styles.cardGroups}>
        <FactList>
          <Fact name="Customer">
            <Named>{event.enterpriseName}</Named>
          </Fact>
          <Fact name="Address">
            {siteAddress(event).map((line) => (
              <div key={line}>
                <bdi>{line}</bdi>
              </div>
            ))}
          </Fact>
          <Fact name="Contract type">
            <Named>{event.cpType}</Named>
          </Fact>
          <Fact name="Contract SLA">
            <ContractSla event={event} />
          </Fact>
          <Fact name="Contract expiry">
            {event.cpEndDate !== null && (
              <Deadline day={event.cpEndDate} text={formatEventDate(event.cpEndDate)} pastWord="expired" />
            )}
          </Fact>
          <Fact name="Last service">{dateOrNull(event.instrumentLastService)}</Fact>
          <Fact name="Last maintenance">{dateOrNull(event.instrumentLastMaintenance)}</Fact>
        </FactList>
        <FactList>
          <Fact name="Contact">
            <Named>{event.contactName}</Named>
          </Fact>
          <Fact name="Phone">
            <PhoneLink number={event.contactPhone} country={event.siteCountry} />
          </Fact>
          <Fact name="Mobile">
            <PhoneLink number={event.contactMobile} country={event.siteCountry} />
          </Fact>
          <Fact name="E-mail">
            <EmailLink address={event.contactEmail} />
          </Fact>
          <Fact name="IT contact">
            <Named>{event.itContactName}</Named>
          </Fact>
          <Fact name="IT e-mail">
            <EmailLink address={event.itContactEmail} />
          </Fact>
        </FactList>
      </div>
    </Card>
  )
}

/** Shows the contract term, 'Tier 1' and the badge of a 24-hour contract. */
function ContractSla({ event }: { event: ServiceEvent }) {
  const sla = slaLabel(event)
  if (sla === null && !event.fullSupport) return <Dash />
  return (
    <>
      {sla !== null && <bdi>{sla}</bdi>} {event.fullSupport && <span className={styles.support}>24 h</span>}
    </>
  )
}

function dateOrNull(date: string | null): string | null {
  return date === null ? null : formatEventDate(date)
}

/**
 * Shows status and owner as controls, how long the event has been in this state, the contract's clock, and the
 * actions.
 */
function EventStatusBar({ event, viewer, more }: { event: ServiceEvent; viewer: Viewer; more?: ReactNode }) {
  const now = useNow()
  const client = useQueryClient()
  const isPrinted = usePrinting() !== null
  return (
    <DetailsBar label="Status and owner">
      <BarActions>
        <StatusMenu event={event} viewer={viewer} />
        <OwnerPicker event={event} viewer={viewer} />
      </BarActions>
      <BarFacts>
        {isPrinted && (
          <>
            <BarFact name="Status">{alertStatusLabels[event.alertStatus]}</BarFact>
            {/* On paper, the name: 'Me' means nothing there. */}
            <BarFact name="Owner">{ownerLabel(event, { ...viewer, id: '' })}</BarFact>
          </>
        )}
        <BarFact name="Raised">
          <ZonedTime at={event.createdAt} siteZone={event.siteTimeZone}>
            {formatEventTime(event.createdAt)}
          </ZonedTime>{' '}
          <BarHint>{agePhrase(event.createdAt, now)}</BarHint>
        </BarFact>
        {event.latchedCount > 0 && (
          <BarFact name="Raised again">{event.latchedCount === 1 ? 'once' : `${event.latchedCount} times`}</BarFact>
        )}
        {event.clearedAt !== null && (
          <BarFact name="Returned to normal">
            <ZonedTime at={event.clearedAt} siteZone={event.siteTimeZone}>
              {formatEventTime(event.clearedAt)}
            </ZonedTime>
          </BarFact>
        )}
        <ContractClockFact event={event} />
      </BarFacts>
      <BarActions>
        <PageLogs event={event} />
        <EmailDropdown event={event} />
        <ShareButton
          event={event}
          onShared={() => void client.invalidateQueries({ queryKey: serviceEventKeys.historyOf(event.id) })}
        />
        <CloseButton event={event} viewer={viewer} />
        {more}
      </BarActions>
    </DetailsBar>
  )
}

/** Hidden once the event is closed. If another user closes it meanwhile, an open dialog stays with its input. */
function CloseButton({ event, viewer }: { event: ServiceEvent; viewer: Viewer }) {
  const { open, dialog } = useCloseDialog(event, viewer)
  return (
    <>
      {event.alertStatus === '3_CLOSED' ? null : mayChangeStatus(event, viewer) ? (
        <Button onClick={open}>Close event…</Button>
      ) : (
        <BlockedButton isPrimary reason={whyNotOwner(event, { viewer, act: 'close the event' })}>
          Close event…
        </BlockedButton>
      )}
      {dialog}
    </>
  )
}
