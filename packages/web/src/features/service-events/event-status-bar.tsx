import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { agePhrase } from '../../lib/age.ts'
import { formatEventTime } from '../../lib/dates.ts'
import { BlockedButton } from '../../ui/blocked-button.tsx'
import { BarActions, BarFact, BarFacts, BarHint, DetailsBar } from '../../ui/details-bar.tsx'
import { useNow } from '../../ui/use-now.ts'
import { ZonedTime } from '../../ui/zoned-time.tsx'
import { EmailDropdown } from '../event-emails/email-dropdown.tsx'
import { ShareButton } from '../event-emails/share-button.tsx'
import { PageLogs } from '../logs/page-logs.tsx'
import { ContractClockFact } from './contract-clock-fact.tsx'
import { mayChangeStatus, type Viewer, whyNotOwner } from './event-owner.ts'
import { OwnerPicker } from './owner-picker.tsx'
import { serviceEventKeys } from './service-events.api.ts'
import { StatusMenu } from './status-menu.tsx'
import { useCloseDialog } from './use-close-dialog.tsx'

/** Status and owner as controls, since when it stands, what the contract promises, and what can be done about it. */
export function EventStatusBar({ event, viewer }: { event: ServiceEvent; viewer: Viewer }) {
  const now = useNow()
  const client = useQueryClient()
  return (
    <DetailsBar label="Status and owner">
      <BarActions>
        <StatusMenu event={event} viewer={viewer} />
        <OwnerPicker event={event} viewer={viewer} />
      </BarActions>
      <BarFacts>
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
      </BarActions>
    </DetailsBar>
  )
}

/** Gone once the event is closed; an open dialog stays, with what was typed, when somebody else closes it meanwhile. */
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
