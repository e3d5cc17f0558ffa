import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { counted } from '../../../lib/folded.ts'
import { FactLine, RowDetails, RowFact, RowFacts } from '../../../ui/list/list-table.tsx'
import { LinkButton } from '../../../ui/overlay/blocked-button.tsx'
import { LongText } from '../../../ui/text/long-text.tsx'
import { RetryLine } from '../../../ui/text/notice.tsx'
import { connectedInstrumentsAddress, edgeGatewayQuery } from '../../connections/connections.api.ts'
import { EmailDropdown } from '../../event-emails/email-dropdown.tsx'
import { RowLogs } from '../../logs/viewer/view-logs.tsx'
import { isActive, isAhead, isDelayed, markSentences, raisedLabel, slaLabel } from '../event-text.ts'
import { EventValue } from '../event-value.ts'
import { KEYWORD } from '../events.search.ts'
import type { Viewer } from '../owner/event-owner.ts'
import { OwnerPicker } from '../owner/owner-picker.tsx'
import { SiteAddress } from '../site-address.tsx'
import { StatusMenu } from '../status/status-menu.tsx'
import styles from './event-list.module.css'

/**
 * The expanded row: what happened, where, to which customer, and what to do about it. Expanding or selecting other rows
 * does not render it again.
 */
export const EventRowDetails = memo(function EventRowDetails(props: { event: ServiceEvent; viewer: Viewer }) {
  const { event, viewer } = props
  const sla = slaLabel(event)
  return (
    <RowDetails>
      <RowFacts tracks="minmax(0, 2.4fr) repeat(4, minmax(0, 1fr))">
        <RowFact name="Description" isWide>
          <FactLine lines={8}>
            <LongText text={event.description} />
          </FactLine>
          {event.userMessage !== null && (
            <FactLine isQuiet lines={8}>
              <LongText text={event.userMessage} />
            </FactLine>
          )}
          {isActive(event) && <FactLine isQuiet>{markSentences.active}</FactLine>}
          {event.clearedAt !== null && <FactLine isQuiet>Returned to normal</FactLine>}
          {event.latchedCount > 0 && <FactLine isQuiet>{raisedLabel(event)}</FactLine>}
          {isDelayed(event) && <FactLine isQuiet>{markSentences.delayed}</FactLine>}
          {isAhead(event) && <FactLine isQuiet>{markSentences.ahead}</FactLine>}
          {event.duringMaintenance && <FactLine isQuiet>{markSentences.maintenance}</FactLine>}
        </RowFact>
        <RowFact name={event.isEdgeIssue ? 'Gateway' : 'Module'}>
          <FactLine>
            <EventValue category="componentName" value={event.componentName}>
              {(event.isEdgeIssue ? event.gatewayName : event.componentName) ?? '–'}
            </EventValue>
          </FactLine>
          {event.isEdgeIssue && (
            <FactLine isQuiet>
              <EdgeInstruments event={event} />
            </FactLine>
          )}
        </RowFact>
        <RowFact name="Installed product ID">
          <FactLine>
            <EventValue category={KEYWORD} value={event.instrumentInstalledProductId} />
          </FactLine>
          {event.instrumentDefinedSystemName !== null && (
            <FactLine isQuiet>{event.instrumentDefinedSystemName}</FactLine>
          )}
          {event.run !== null && (
            <FactLine isQuiet>
              Run <EventValue category="run" value={event.run} />
            </FactLine>
          )}
        </RowFact>
        <RowFact name="Location">
          <FactLine>
            <SiteAddress event={event} />
          </FactLine>
        </RowFact>
        <RowFact name="Customer">
          <FactLine>
            <EventValue category="enterpriseName" value={event.enterpriseName} />
          </FactLine>
          {sla !== null && (
            <FactLine isQuiet>
              <EventValue category="contractSLA" value={event.cpSLATerm}>
                {sla}
              </EventValue>
            </FactLine>
          )}
        </RowFact>
      </RowFacts>
      <Group gap={8} justify="flex-end" className={styles.rowActions}>
        <RowLogs event={event} />
        <EmailDropdown event={event} />
        <OwnerPicker event={event} viewer={viewer} />
        <StatusMenu event={event} viewer={viewer} />
        <LinkButton to="/events/$eventId" params={{ eventId: event.eventId }}>
          Event details
        </LinkButton>
      </Group>
    </RowDetails>
  )
})

/**
 * Links to the instruments behind a gateway that lost its connection. Read when the row opens: lists do not contain
 * the number, and one request per row would be one for each gateway of the page.
 */
function EdgeInstruments({ event }: { event: ServiceEvent }) {
  const gateway = useQuery(edgeGatewayQuery(event.instrumentInstalledProductId))
  if (gateway.isPending) return 'Loading instruments…'
  if (gateway.data === undefined)
    return <RetryLine onRetry={() => void gateway.refetch()}>Could not get connected instruments.</RetryLine>
  const ids = gateway.data.instrumentIpids
  if (ids.length === 0) return 'No instruments are connected.'
  return <a href={connectedInstrumentsAddress(ids)}>{counted(ids.length, 'connected instrument')}</a>
}
