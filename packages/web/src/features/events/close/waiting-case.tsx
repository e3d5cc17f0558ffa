import type { ServiceCase, ServiceEvent } from '@benchwatch/contract/events'
import { Button, Group, Text } from '@mantine/core'
import { pageSettings } from '../../../lib/page-settings.ts'
import { formatEventTime } from '../../../lib/time/dates.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { Notice } from '../../../ui/text/notice.tsx'
import { useNow } from '../../../ui/time/use-now.ts'
import { ZonedTime } from '../../../ui/time/zoned-time.tsx'
import { mayChangeStatus, type Viewer } from '../event-owner.ts'
import { useServiceCase } from './use-service-case.ts'

/** Shows that the desk is creating the case of an open event, and why it does not exist yet. */
export function WaitingCase(props: { event: ServiceEvent; wanted: ServiceCase; viewer: Viewer }) {
  const { event, wanted, viewer } = props
  const { cancel, isPending } = useServiceCase(viewer)
  const desk = pageSettings().caseDesk
  return (
    <Card title="Service case">
      <Text>
        Case is being created{desk === null ? '' : ` in ${desk}`}. The event is closed when it exists.{' '}
        <Text span c="dimmed">
          Requested by <bdi>{wanted.requestedByName}</bdi>,{' '}
          <ZonedTime at={wanted.requestedAt} siteZone={event.siteTimeZone}>
            {formatEventTime(wanted.requestedAt)}
          </ZonedTime>
          .
        </Text>
      </Text>
      {wanted.lastError !== null && wanted.retryAt !== null && (
        <Group mt="sm">
          <Notice tone="warning">
            {wanted.lastError} <NextAttempt at={wanted.retryAt} />
          </Notice>
        </Group>
      )}
      {mayChangeStatus(event, viewer) && (
        <Group gap="xs" mt="sm">
          <Button variant="default" loading={isPending} onClick={() => void cancel(event)}>
            Stop creating the case
          </Button>
        </Group>
      )}
    </Card>
  )
}

function NextAttempt({ at }: { at: string }) {
  const now = useNow([Date.parse(at)])
  if (Date.parse(at) <= now) return <>The next attempt follows now.</>
  return (
    <>
      Next attempt: <ZonedTime at={at}>{formatEventTime(at)}</ZonedTime>.
    </>
  )
}
