import type { ServiceEvent } from '@benchwatch/contract/events/events'
import type { EdgeGateway } from '@benchwatch/contract/instruments/instruments'
import { ActionIcon, Box, CloseButton, Group, Popover, Text, Title } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { eventName } from '../../../lib/screen-name.ts'
import { formatEventTime } from '../../../lib/time/dates.ts'
import { LinkButton } from '../../../ui/overlay/blocked-button.tsx'
import sheet from '../../../ui/overlay/dropdown.module.css'
import { PopoverAnchor, useEarlyEscape } from '../../../ui/overlay/popover-anchor.tsx'
import { useFailureToast } from '../../../ui/overlay/toasts.ts'
import { CopyButton } from '../../../ui/text/copy-button.tsx'
import { Fact, FactList, Named } from '../../../ui/text/fact.tsx'
import { LongText } from '../../../ui/text/long-text.tsx'
import { RetryLine } from '../../../ui/text/notice.tsx'
import { RichText } from '../../../ui/text/rich-text.tsx'
import { ZonedTime } from '../../../ui/time/zoned-time.tsx'
import { connectedInstrumentsAddress, edgeGatewayQuery } from '../../connections/connections.api.ts'
import { eventAsText, instrumentName, siteAddress, slaLabel } from '../event-text.ts'
import { detailsQuery } from '../events.api.ts'
import { SeverityBadge } from '../status/severity-badge.tsx'
import { EventTimeMarks } from '../status/status-block.tsx'
import styles from './event-details.module.css'

/**
 * Shows the event description dropdown of document 1 section 2 below `anchor`: what happened, where, under which
 * contract, and what to do. `event` may come from a list; fields that lists omit are read here.
 */
export function EventDescription(props: { event: ServiceEvent; anchor: HTMLElement; onClose: () => void }) {
  const { event, anchor } = props

  /** The dropdown leaves the page at once, so it must return the focus itself. */
  function close() {
    props.onClose()
    anchor.focus({ preventScroll: true })
  }

  useEarlyEscape(close)

  return (
    <Popover
      opened
      onChange={(isOpen) => !isOpen && close()}
      position="bottom-start"
      width="min(470px, calc(100vw - 24px))"
      trapFocus
      withinPortal
      middlewares={{ flip: true, shift: true, size: { padding: 8, apply: limitHeight } }}
    >
      <Popover.Target>
        <PopoverAnchor element={anchor} />
      </Popover.Target>
      <Popover.Dropdown
        aria-label={`Description of ${eventName(event)}`}
        p="12px 16px 16px"
        fz="sm"
        className={`${sheet.frame} ${styles.dropdown}`}
      >
        <Description event={event} onClose={close} />
      </Popover.Dropdown>
    </Popover>
  )
}

/** Limits the height to the space between the row and the edge of the window; longer content scrolls. */
function limitHeight({ availableHeight, elements }: { availableHeight: number; elements: { floating: HTMLElement } }) {
  elements.floating.style.setProperty('--room', `${Math.floor(availableHeight)}px`)
}

function Description({ event, onClose }: { event: ServiceEvent; onClose: () => void }) {
  const gateway = useGateway(event)
  return (
    <>
      <Group gap={4} mb={8}>
        <Text size="md" fw={620}>
          {eventName(event)}
        </Text>
        <CopyButton text={eventAsText(event, window.location.origin)} label="Copy event" />
        <CloseButton
          size="var(--bw-control)"
          iconSize={18}
          ml="auto"
          my={-6}
          mr={-10}
          aria-label="Close description"
          onClick={onClose}
        />
      </Group>
      <FactList>
        <Fact name="Date generated">
          <ZonedTime at={event.logGeneratedAt} siteZone={event.siteTimeZone}>
            {formatEventTime(event.logGeneratedAt)}
          </ZonedTime>
          <EventTimeMarks event={event} />
        </Fact>
        {event.isEdgeIssue ? (
          <GatewayFacts event={event} gateway={gateway} />
        ) : (
          <Fact name="Module">
            <Named>{event.componentName}</Named>
          </Fact>
        )}
        <Fact name="Installed product ID">
          {event.isEdgeIssue ? (
            event.instrumentInstalledProductId
          ) : (
            <a href={`/instruments/${event.instrumentInstalledProductId}`}>{event.instrumentInstalledProductId}</a>
          )}{' '}
          <CopyButton text={event.instrumentInstalledProductId} label="Copy installed product ID" />
        </Fact>
        {!event.isEdgeIssue && (
          <Fact name="Instrument">
            <Named>{instrumentName(event)}</Named>
          </Fact>
        )}
        <Fact name="Error id">{event.templateId}</Fact>
        <Fact name="Severity">
          <SeverityBadge severity={event.severity} />
        </Fact>
        <Fact name="SLA/Tier">
          <Named>{slaLabel(event)}</Named>
        </Fact>
      </FactList>
      <LinkButton fullWidth mt={12} to="/events/$eventId" params={{ eventId: event.eventId }}>
        View Event Details
      </LinkButton>
      <Box component="section" mt={14} aria-label="Description">
        <Title order={2} fz="xs" fw={500} c="dimmed" mb={3}>
          Description
        </Title>
        <LongText text={event.description} />
        {event.isEdgeIssue && gateway.data && <ConnectedInstruments gateway={gateway.data} />}
      </Box>
      <Box component="section" mt={14} aria-label="Troubleshooting">
        <Title order={2} fz="xs" fw={500} c="dimmed" mb={3}>
          Troubleshooting
        </Title>
        <Troubleshooting event={event} />
      </Box>
    </>
  )
}

/** Reads the gateway of an edge issue. A failure is reported once, however many places show it. */
function useGateway(event: ServiceEvent): UseQueryResult<EdgeGateway> {
  const gateway = useQuery({ ...edgeGatewayQuery(event.instrumentInstalledProductId), enabled: event.isEdgeIssue })
  useFailureToast(gateway, 'Could not load connected instruments and gateway name')
  return gateway
}

function GatewayFacts({ event, gateway }: { event: ServiceEvent; gateway: UseQueryResult<EdgeGateway> }) {
  if (gateway.isError)
    return (
      <Fact name="Gateway">
        <Text span c="var(--bw-danger)">
          Failed to load
        </Text>{' '}
        <ActionIcon size={24} aria-label="Reload gateway" onClick={() => void gateway.refetch()}>
          <IconRefresh size={14} stroke={1.8} aria-hidden="true" />
        </ActionIcon>
      </Fact>
    )
  return (
    <>
      <Fact name="Gateway">
        <Named>{gateway.data?.name ?? event.gatewayName}</Named>
      </Fact>
      <Fact name="Location">
        <Named>{gateway.isPending ? 'Loading…' : (gateway.data?.location ?? siteAddress(event).join(', '))}</Named>
      </Fact>
    </>
  )
}

function ConnectedInstruments({ gateway: { instrumentIpids } }: { gateway: EdgeGateway }) {
  if (instrumentIpids.length === 0) return <Text c="dimmed">No instruments are connected.</Text>
  return (
    <Text mt={6}>
      <a href={connectedInstrumentsAddress(instrumentIpids)}>View connected instruments ({instrumentIpids.length})</a>
    </Text>
  )
}

/** Lists omit this, so the whole event is read. */
function Troubleshooting({ event }: { event: ServiceEvent }) {
  const details = useQuery(detailsQuery(event.eventId))
  if (details.isPending) return <Text c="dimmed">Loading…</Text>
  if (details.data === undefined)
    return <RetryLine onRetry={() => void details.refetch()}>Could not get event</RetryLine>
  const html = details.data.troubleshooting ?? ''
  if (html.trim() === '') return <Text c="dimmed">No advice for this error.</Text>
  return <RichText html={html} />
}
