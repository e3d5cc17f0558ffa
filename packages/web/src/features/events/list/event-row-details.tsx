import type { ServiceEvent } from '@benchwatch/contract/events'
import { useQuery } from '@tanstack/react-query'
import { counted } from '../../../lib/folded.ts'
import { LinkButton } from '../../../ui/overlay/blocked-button.tsx'
import { LongText } from '../../../ui/text/long-text.tsx'
import { RetryLine } from '../../../ui/text/notice.tsx'
import { connectedInstrumentsAddress, edgeGatewayQuery } from '../../connections/connections.api.ts'
import { EmailDropdown } from '../../event-emails/email-dropdown.tsx'
import { RowLogs } from '../../logs/viewer/view-logs.tsx'
import type { Viewer } from '../event-owner.ts'
import { siteAddress, slaLabel } from '../event-text.ts'
import { OwnerPicker } from '../owner-picker.tsx'
import { StatusMenu } from '../status-menu.tsx'
import styles from './event-row-details.module.css'

/** The expanded row: what happened, where, to which customer, and what to do about it. */
export function EventRowDetails({ event, viewer }: { event: ServiceEvent; viewer: Viewer }) {
  const sla = slaLabel(event)
  return (
    <div className={styles.panel}>
      <dl className={styles.facts}>
        <div className={styles.wide}>
          <dt>Description</dt>
          <dd>
            <LongText text={event.description} />
          </dd>
          {event.clearedAt !== null && <dd className={styles.quiet}>Returned to normal</dd>}
          {event.userMessage !== null && (
            <dd className={styles.quiet}>
              <LongText text={event.userMessage} />
            </dd>
          )}
        </div>
        <div>
          <dt>{event.isEdgeIssue ? 'Gateway' : 'Component'}</dt>
          <dd dir="auto">{(event.isEdgeIssue ? event.gatewayName : event.componentName) ?? '–'}</dd>
          {event.isEdgeIssue && (
            <dd className={styles.quiet}>
              <EdgeInstruments event={event} />
            </dd>
          )}
        </div>
        <div>
          <dt>Installed product ID</dt>
          <dd>{event.instrumentInstalledProductId}</dd>
          {event.instrumentDefinedSystemName !== null && (
            <dd className={styles.quiet} dir="auto">
              {event.instrumentDefinedSystemName}
            </dd>
          )}
        </div>
        <div>
          <dt>Location</dt>
          {siteAddress(event).map((line) => (
            <dd key={line} dir="auto">
              {line}
            </dd>
          ))}
        </div>
        <div>
          <dt>Customer</dt>
          <dd dir="auto">{event.enterpriseName}</dd>
          {sla !== null && (
            <dd className={styles.quiet} dir="auto">
              {sla}
            </dd>
          )}
        </div>
      </dl>
      <div className={styles.actions}>
        <RowLogs event={event} />
        <EmailDropdown event={event} />
        <OwnerPicker event={event} viewer={viewer} />
        <StatusMenu event={event} viewer={viewer} />
        <LinkButton className={styles.open} to="/events/$eventId" params={{ eventId: event.eventId }}>
          Event details
        </LinkButton>
      </div>
    </div>
  )
}

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
