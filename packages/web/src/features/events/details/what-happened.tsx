import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { alertTypeLabels, limits } from '@benchwatch/contract/vocabulary'
import { Box, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { cutText } from '../../../lib/list/list-address.ts'
import { formatEventTime } from '../../../lib/time/dates.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { Fact, FactList, Named } from '../../../ui/text/fact.tsx'
import { LongText } from '../../../ui/text/long-text.tsx'
import { RichText } from '../../../ui/text/rich-text.tsx'
import { ZonedTime } from '../../../ui/time/zoned-time.tsx'
import { InstrumentStatusDot } from '../../connections/instrument-status-dot.tsx'
import { EventValue } from '../event-value.ts'
import { KEYWORD } from '../events.search.ts'
import { SiteAddress } from '../site-address.tsx'
import { EventTimeMarks } from '../status/status-block.tsx'

/** The title of the page shows descriptions up to about this length in full. */
const TITLE_LENGTH = 120

/** The details grid: what was reported, by which component, and where. Facts without a value are left out. */
export function WhatHappened({ event }: { event: ServiceEvent }) {
  return (
    <Card title="What happened">
      <FactList>
        {event.description.length > TITLE_LENGTH && (
          <Fact name="Description">
            <LongText text={event.description} />
          </Fact>
        )}
        {event.userMessage !== null && (
          <Fact name="Message to the user">
            <LongText text={event.userMessage} />
          </Fact>
        )}
        <Fact name="Error id">
          <EventValue category={KEYWORD} value={keywordOf(event.description)}>
            {event.templateId}
          </EventValue>
        </Fact>
        <Fact name="Event type">
          <EventValue category="alertType" value={String(event.alertType)} name={alertTypeLabels[event.alertType]} />
        </Fact>
        <Fact name="Date generated">
          <ZonedTime at={event.logGeneratedAt} siteZone={event.siteTimeZone}>
            {formatEventTime(event.logGeneratedAt)}
          </ZonedTime>
          <EventTimeMarks event={event} />
        </Fact>
        {event.isEdgeIssue ? (
          <Fact name="Gateway">{event.gatewayName}</Fact>
        ) : (
          <Fact name="Module">
            <EventValue category="componentName" value={event.componentName}>
              <Named>{event.componentName}</Named>
            </EventValue>
          </Fact>
        )}
        {(event.instrumentStatus ?? event.instrumentProductDescription) !== null && (
          <Fact name="Instrument">
            <Instrument event={event} />
          </Fact>
        )}
        {event.run !== null && (
          <Fact name="Run">
            <EventValue category="run" value={event.run} />
          </Fact>
        )}
        {event.instrumentDefinedSystemName !== null && (
          <Fact name="System name">
            <Named>{event.instrumentDefinedSystemName}</Named>
          </Fact>
        )}
        <Fact name="Installed product ID">
          {event.isEdgeIssue ? (
            event.instrumentInstalledProductId
          ) : (
            <Link to="/instruments/$instrumentId" params={{ instrumentId: event.instrumentInstalledProductId }}>
              {event.instrumentInstalledProductId}
            </Link>
          )}
        </Fact>
        {event.qualifiedSystem === true && (
          <Fact name="Qualified system">
            <EventValue category="qualifiedSystem" value="true" name="Yes" />
          </Fact>
        )}
        <Fact name="Location">
          <SiteAddress event={event} />
        </Fact>
      </FactList>
    </Card>
  )
}

/** Shows troubleshooting or remedy from the event's template; no card if the template has none. */
export function Advice({ title, html }: { title: string; html: string | null | undefined }) {
  if (html === null || html === undefined || html.trim() === '') return null
  return (
    <Card title={title}>
      <Box fz="sm">
        <RichText html={html} />
      </Box>
    </Card>
  )
}

function Instrument({ event }: { event: ServiceEvent }) {
  return (
    <>
      <Group component="span" display="inline-flex" gap={7}>
        <InstrumentStatusDot status={event.instrumentStatus} />
        <EventValue
          category={KEYWORD}
          value={event.instrumentProductDescription === null ? null : event.instrumentInstalledProductId}
        >
          <Named>{event.instrumentProductDescription}</Named>
        </EventValue>
      </Group>
      <InstrumentStatusLabels event={event} />
    </>
  )
}

function InstrumentStatusLabels({ event }: { event: ServiceEvent }) {
  const parts = [
    event.instrumentStatusAtEvent === null ? null : `${event.instrumentStatusAtEvent} at the event`,
    event.instrumentStatus === null ? null : `${event.instrumentStatus} now`,
  ].filter(Boolean)
  return (
    parts.length > 0 && (
      <Text span c="dimmed">
        {' '}
        · {parts.join(', ')}
      </Text>
    )
  )
}

/**
 * Returns the keyword that finds events of the same error, whose descriptions begin alike: as many first words as
 * fit into a keyword. No filter offers error ids.
 */
function keywordOf(description: string): string {
  const start = description.slice(0, limits.keyword + 1)
  return cutText(start.length > limits.keyword ? start.replace(/\s+\S*$/, '') : start, limits.keyword).trim()
}
