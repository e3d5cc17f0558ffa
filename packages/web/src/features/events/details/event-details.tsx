import type { ServiceResponse } from '@benchwatch/contract/events/event-details'
import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { alertStatusLabels, severityNames } from '@benchwatch/contract/vocabulary'
import { ActionIcon, Badge, Box, Button, Group, SimpleGrid, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useElementScrollRestoration, useNavigate } from '@tanstack/react-router'
import {
  Fragment,
  type MouseEvent,
  memo,
  type ReactNode,
  startTransition,
  useDeferredValue,
  useEffect,
  useRef,
  useState,
} from 'react'
import { cityAndCountry } from '../../../lib/address.ts'
import { eventName } from '../../../lib/screen-name.ts'
import { formatEventDate, formatEventTime } from '../../../lib/time/dates.ts'
import { agePhrase, formatElapsed } from '../../../lib/time/duration.ts'
import { Card, CardColumns } from '../../../ui/layout/card.tsx'
import { BarActions, BarFact, BarFacts, Columns, DetailsBar, DetailsPage } from '../../../ui/layout/details-page.tsx'
import { FilterPresses } from '../../../ui/list/filters/filter-value.tsx'
import { BlockedButton } from '../../../ui/overlay/blocked-button.tsx'
import { showNotice } from '../../../ui/overlay/toasts.ts'
import { isPanelOpen, useShortcuts } from '../../../ui/overlay/use-shortcuts.ts'
import { Chevron } from '../../../ui/text/chevron.tsx'
import { EmailLink, PhoneLink } from '../../../ui/text/contact-line.tsx'
import { Dash, Fact, FactList, Named } from '../../../ui/text/fact.tsx'
import { RetryLine } from '../../../ui/text/notice.tsx'
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
import { slaLabel } from '../event-text.ts'
import { EventValue } from '../event-value.ts'
import { DETAILS_POLL_MS, detailsQuery, serviceEventKeys, serviceResponseQuery, useClaimed } from '../events.api.ts'
import { openEvents, pressValue, writeEventSearch } from '../events.search.ts'
import { EventShortcuts } from '../list/event-shortcuts.tsx'
import { type Place, usePlaceInList } from '../list-walk.ts'
import { ownerLabel, primaryAction, primaryActions, type Viewer, whyNotOwner } from '../owner/event-owner.ts'
import { OwnerPicker } from '../owner/owner-picker.tsx'
import { SiteAddress } from '../site-address.tsx'
import { SeverityBadge } from '../status/severity-badge.tsx'
import { StatusMenu } from '../status/status-menu.tsx'
import { useEventActions } from '../use-event-actions.ts'
import { ContractClockFact } from './contract-clock-fact.tsx'
import { EventHistoryCard } from './event-history-card.tsx'
import { OutcomesCard } from './outcomes-card.tsx'
import { PriorEvents } from './prior-events.tsx'
import { SimilarEvents } from './similar-events.tsx'
import { Advice, WhatHappened } from './what-happened.tsx'

const spans: readonly { key: keyof ServiceResponse; name: string; hint: string }[] = [
  { key: 'alertToAcknowledgeTime', name: 'To acknowledge', hint: 'From creation until it was taken' },
  { key: 'duration', name: 'In progress', hint: 'From when it was taken until it was closed' },
  { key: 'eventReasonClosed', name: 'To close', hint: 'From creation until it was closed' },
]

/** The parts in which the cards of a page appear. */
const PARTS = 5

interface EventDetailsProps {
  eventId: string
  viewer: Viewer
  listAddress: Record<string, string>
  sideCard: (event: ServiceEvent) => ReactNode
  /** Additional actions at the end of the bar. */
  more?: (event: ServiceEvent) => ReactNode
}

/**
 * Shows one event in full. `eventId` may start with ORC-. Closing returns to the list at `listAddress`. `sideCard` is
 * the card of another feature about this event.
 */
export function EventDetails(props: EventDetailsProps) {
  const navigate = useNavigate()
  return (
    <FilterPresses
      leadsTo="Open events"
      onPress={(press) => void navigate({ to: '/events', search: writeEventSearch(pressValue(openEvents(), press)) })}
    >
      <EventPage {...props} />
    </FilterPresses>
  )
}

function EventPage(props: EventDetailsProps) {
  const digits = props.eventId.replace(/^ORC-/i, '')
  const details = useQuery({ ...detailsQuery(digits), refetchInterval: DETAILS_POLL_MS })
  const name = eventName({ eventId: digits })
  const place = usePlaceInList(digits)
  useEventDetailsKeys(props.listAddress, place, details.isPending ? name : null)
  // The page answers with what is in sight. Its cards follow one part after the other, so that the next key need not wait
  // for all of them. A page that was scrolled before appears whole, or going back would not find its place.
  const scrolled = useElementScrollRestoration({ getElement: () => window })
  const [parts, setParts] = useState(() => (scrolled ? PARTS : 0))
  const isRead = details.data !== undefined
  useEffect(() => {
    if (isRead && parts < PARTS) startTransition(() => setParts(parts + 1))
  }, [isRead, parts])
  return (
    <DetailsPage
      list={{ to: '/events', search: props.listAddress, name: 'Service Events' }}
      name={name}
      beside={place !== null && <Pager place={place} />}
      shortcuts={<EventShortcuts />}
      noun="event"
      query={details}
      untitled={`Event ${name}`}
      subtitle={(event) => event && <Whereabouts event={event} />}
      missing={{
        since: 'It was deleted, or moved to a customer that you can’t see, while it was open here.',
        ever: 'It may have been deleted, or it belongs to a customer that you can’t see. Check the number in the address.',
      }}
      skeleton={[
        [
          [11, 3, 7],
          [6, 8, 2, 4],
        ],
      ]}
    >
      {(event) => ({
        // In the middle of the title's first line.
        mark: (
          <Box component="span" display="inline-flex" mt={3}>
            <EventValue category="severity" value={event.severity} name={severityNames[event.severity]}>
              <SeverityBadge severity={event.severity} />
            </EventValue>
          </Box>
        ),
        title: <span dir="auto">{event.description}</span>,
        content: (
          <>
            <EventStatusBar event={event} viewer={props.viewer} more={props.more?.(event)} />
            <EventCards event={event} viewer={props.viewer} sideCard={props.sideCard} parts={parts} />
          </>
        ),
      })}
    </DetailsPage>
  )
}

/**
 * The cards below the bar. After a change they follow the bar, part by part, because drawing all of them would delay the
 * answer to the next key.
 */
function EventCards(props: CardsProps) {
  return <Cards {...props} event={useDeferredValue(props.event)} />
}

interface CardsProps extends Pick<EventDetailsProps, 'viewer' | 'sideCard'> {
  event: ServiceEvent
  /** How many parts are shown. */
  parts: number
}

const Cards = memo(function Cards({ event, viewer, sideCard, parts }: CardsProps) {
  return (
    <>
      <Columns
        left={
          <>
            <ClosingCard event={event} viewer={viewer} />
            <Advice title="Troubleshooting" html={event.troubleshooting} />
            <Advice title="Remedy" html={event.remedy} />
            {parts > 0 && (
              <>
                <OutcomesCard event={event} />
                <WhatHappened event={event} />
              </>
            )}
            {parts > 2 && <CustomerCard event={event} />}
          </>
        }
        right={
          <>
            {parts > 1 && <AroundEvent event={event} />}
            {parts > 2 && <PriorEvents event={event} />}
            {parts > 3 && (
              <>
                <ServiceResponseCard event={event} />
                {sideCard(event)}
                <EventHistoryCard event={event} />
              </>
            )}
          </>
        }
      />
      {parts > 4 && <SimilarEvents event={event} viewer={viewer} />}
    </>
  )
})

/** Names the instrument, customer and place, because their cards come after what to do. */
function Whereabouts({ event }: { event: ServiceEvent }) {
  const { instrumentInstalledProductId: instrumentId, instrumentProductDescription, gatewayName } = event
  const others = new Set([
    event.instrumentDefinedSystemName,
    event.enterpriseName,
    cityAndCountry(event.siteCity, event.siteCountry),
  ])
  return (
    <>
      {event.isEdgeIssue ? (
        <bdi>{gatewayName}</bdi>
      ) : (
        <Link to="/instruments/$instrumentId" params={{ instrumentId }}>
          <bdi>{instrumentProductDescription ?? instrumentId}</bdi>
        </Link>
      )}
      {[...others].map(
        (text) =>
          text && (
            <Fragment key={text}>
              {' '}
              · <bdi>{text}</bdi>
            </Fragment>
          ),
      )}
    </>
  )
}

/** Keyboard shortcuts on the event page, listed in `event-shortcuts.tsx`. `loading` is the event that is not shown yet. */
function useEventDetailsKeys(listAddress: Record<string, string>, place: Place | null, loading: string | null): void {
  const navigate = useNavigate()
  const back = () => void navigate({ to: '/events', search: listAddress })
  // Replaces the address, so that one step back in the browser leads to the list however many events were read.
  const go = (eventId: string) => void navigate({ to: '/events/$eventId', params: { eventId }, replace: true })
  /** A neighbour that was asked for before it was known: it opens if it becomes known soon. */
  const asked = useRef<{ side: 'previous' | 'next'; at: number } | null>(null)
  const step = (side: 'previous' | 'next') => {
    const neighbour = place?.[side] ?? null
    asked.current = neighbour === null ? { side, at: Date.now() } : null
    if (neighbour !== null) go(neighbour)
  }
  useEffect(() => {
    const neighbour = asked.current === null ? null : (place?.[asked.current.side] ?? null)
    if (asked.current === null || neighbour === null) return
    const isSoon = Date.now() - asked.current.at < SOON_MS
    asked.current = null
    // Later, the user has turned to something else on this page.
    if (isSoon && !isPanelOpen()) go(neighbour)
  })

  // The key is not carried out later: nobody should claim an event that they have not seen.
  const press = (key: string) => {
    if (loading === null) pressButton(key)
    else showNotice({ title: `${loading} is still loading`, message: `Press ${key} again when it is shown.` })
  }
  const keys = {
    a: () => press('a'),
    c: () => press('c'),
    e: () => press('e'),
    l: () => press('l'),
    s: () => press('s'),
    j: () => step('next'),
    k: () => step('previous'),
    u: back,
    Escape: back,
  }
  useShortcuts(keys, { escapeLeaves: true })
}

const SOON_MS = 2000

/** Presses the button that declares this key, because a panel or dialog belongs to its button. */
function pressButton(key: string): void {
  const button = document.querySelector<HTMLElement>(`[aria-keyshortcuts="${key}"]`)
  button?.focus({ preventScroll: true })
  button?.click()
}

/** Links to the previous and the next event of the list, and the place in it. */
function Pager({ place: { place, total, previous, next } }: { place: Place }) {
  return (
    <Group component="nav" gap={4} wrap="nowrap" aria-label="Events of the list">
      <PagerLink eventId={previous} label="Previous event" shortcut="k">
        <Chevron to="left" />
      </PagerLink>
      <Text span size="sm" c="dimmed" visibleFrom="xs" style={{ whiteSpace: 'nowrap' }}>
        {place.toLocaleString('en')} of {total.toLocaleString('en')}
      </Text>
      <PagerLink eventId={next} label="Next event" shortcut="j">
        <Chevron to="right" />
      </PagerLink>
    </Group>
  )
}

function PagerLink(props: { eventId: string | null; label: string; shortcut: string; children: ReactNode }) {
  const { eventId, label } = props
  const look = { size: 30, c: 'dimmed', 'aria-label': label, title: `${label} (${props.shortcut})` } as const
  if (eventId === null)
    return (
      <ActionIcon {...look} disabled>
        {props.children}
      </ActionIcon>
    )
  return (
    <ActionIcon
      {...look}
      renderRoot={(root) => <Link {...root} to="/events/$eventId" params={{ eventId }} replace />}
      aria-keyshortcuts={props.shortcut}
    >
      {props.children}
    </ActionIcon>
  )
}

/** Shows how quickly the event was taken and closed, as 'NNd / NNh / NNm', or a dash if that has not happened yet. */
export function ServiceResponseCard({ event }: { event: ServiceEvent }) {
  const response = useQuery(serviceResponseQuery(event))
  return (
    <Card title="Service response">
      {response.isError && response.data === undefined ? (
        <RetryLine onRetry={() => void response.refetch()}>Could not get the service response.</RetryLine>
      ) : (
        <SimpleGrid component="dl" type="container" cols={{ base: 1, '330px': 3 }} spacing={12} verticalSpacing={7}>
          {spans.map(({ key, name, hint }) => (
            <BarFact key={key} name={name} title={hint}>
              {elapsedLabel(response.data?.[key])}
            </BarFact>
          ))}
        </SimpleGrid>
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
      <CardColumns>
        <FactList>
          <Fact name="Customer">
            <EventValue category="enterpriseName" value={event.enterpriseName} />
          </Fact>
          <Fact name="Address">
            <SiteAddress event={event} />
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
      </CardColumns>
    </Card>
  )
}

/** Shows the contract term, 'Tier 1' and the badge of a 24-hour contract. */
function ContractSla({ event }: { event: ServiceEvent }) {
  const sla = slaLabel(event)
  if (sla === null && !event.fullSupport) return <Dash />
  return (
    <>
      <EventValue category="contractSLA" value={event.cpSLATerm}>
        {sla !== null && <bdi>{sla}</bdi>}
      </EventValue>{' '}
      {event.fullSupport && (
        <Badge size="sm" radius={5} ml={8} c="var(--bw-progress)" bg="var(--bw-progress-soft)">
          24 h
        </Badge>
      )}
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
    <DetailsBar label="Status and owner" isSticky>
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
          <Text span c="dimmed" style={{ whiteSpace: 'nowrap' }}>
            {agePhrase(event.createdAt, now)}
          </Text>
        </BarFact>
        {event.latchedCount > 0 && (
          <BarFact name="Raised again">
            {event.latchedCount === 1 ? 'once' : `${event.latchedCount.toLocaleString('en')} times`}
          </BarFact>
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
      <BarActions isDocked>
        <PageLogs event={event} />
        <EmailDropdown event={event} shortcut="e" />
        <ShareButton
          event={event}
          onShared={() => void client.invalidateQueries({ queryKey: serviceEventKeys.historyOf(event.id) })}
        />
        <NextStep event={event} viewer={viewer} />
        {more}
      </BarActions>
    </DetailsBar>
  )
}

/**
 * The next thing to do with the event as the one strong button, which stays the same button while the event changes,
 * so that it keeps the focus. 'Close event…' is shown even if it is not the next step; nothing is shown once the event
 * is closed. If another user closes it in the meantime, an open dialog stays with its input.
 */
function NextStep({ event, viewer }: { event: ServiceEvent; viewer: Viewer }) {
  const { data: users = [] } = useQuery(usersQuery())
  const { assign, isPending } = useEventActions(viewer)
  const { isOpen, open, dialog } = useCloseDialog(event, viewer)
  const step = primaryAction(useClaimed(event, viewer), { viewer, mayOwn: users.some(({ id }) => id === viewer.id) })
  const me = users.find(({ id }) => id === viewer.id)

  function handlePress({ detail: clicks }: MouseEvent) {
    // The second click of a double click was meant for the button as it was at the first one.
    if (clicks > 1) return
    if (step === 'close') open()
    else if (me !== undefined) void assign(event, me)
  }

  return (
    <>
      {event.alertStatus !== '3_CLOSED' && step !== 'close' && (
        <BlockedButton reason={whyNotOwner(event, { viewer, act: 'close the event' })} shortcut="c">
          Close event…
        </BlockedButton>
      )}
      {step !== null && (
        <Button
          variant={step === 'takeOver' ? 'light' : 'filled'}
          onClick={handlePress}
          aria-busy={isPending}
          aria-keyshortcuts={step === 'close' ? 'c' : 'a'}
          aria-haspopup={step === 'close' ? 'dialog' : undefined}
          aria-expanded={step === 'close' ? isOpen : undefined}
          title={step === 'takeOver' ? `Assign to me. The owner is ${ownerLabel(event, viewer)}.` : undefined}
        >
          {step === 'close' ? 'Close event…' : primaryActions[step]}
        </Button>
      )}
      {dialog}
    </>
  )
}
