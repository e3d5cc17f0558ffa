import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { limits } from '@benchwatch/contract/vocabulary'
import { Box, Group, Text, VisuallyHidden } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call } from '../../../lib/http.ts'
import { eventName } from '../../../lib/screen-name.ts'
import { age } from '../../../lib/time/duration.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { RetryLine } from '../../../ui/text/notice.tsx'
import { SkeletonLine } from '../../../ui/text/skeleton.tsx'
import { useNow } from '../../../ui/time/use-now.ts'
import { ZonedTime } from '../../../ui/time/zoned-time.tsx'
import { type EventRows, keepNewer, type ListedServiceEvent } from '../event-cache.ts'
import { serviceEventKeys } from '../events.api.ts'
import { defaultEventSearch, THE_BEGINNING, writeEventSearch } from '../events.search.ts'
import { SeverityBadge } from '../status/severity-badge.tsx'
import { StatusBlock } from '../status/status-block.tsx'
import styles from './event-details.module.css'

/** Page size of 'Prior Event Notification' in the specification. */
const PRIOR_EVENTS = 26

/** Rows visible without scrolling, even while loading, so that nothing below moves when they arrive. */
const VISIBLE_ROWS = 5
/** The height of these rows, which have two lines where the card is narrow. */
const height = { base: VISIBLE_ROWS * 56, xl: VISIBLE_ROWS * 38 }

/** Live messages update the rows; polling repairs what they missed. The set of earlier events does not change. */
const REFRESH_MS = 60_000

/**
 * Shows the card 'Prior Event Notification': earlier events of the same instrument (for an edge issue, of its
 * gateway), newest first. Five rows are visible; the rest scrolls. Document 1 section 2.
 */
export function PriorEvents({ event }: { event: ServiceEvent }) {
  const prior = useQuery(priorEventsQuery(event))
  const now = useNow()
  const rows = prior.data?.values
  const total = Math.max(prior.data?.total ?? 0, rows?.length ?? 0)
  return (
    <Card
      title="Prior Event Notification"
      flush
      end={
        rows !== undefined &&
        rows.length > 0 && (
          <Group gap={10} fz="sm">
            {total > VISIBLE_ROWS && (
              <Text span inherit c="dimmed">
                {total > rows.length ? `Newest ${rows.length} of ${total.toLocaleString('en')}` : `${total} events`}
              </Text>
            )}
            <Link to="/events" search={priorListAddress(event)}>
              Show as list
            </Link>
          </Group>
        )
      }
    >
      {rows === undefined ? (
        <Box mih={height} mt={8} aria-busy={prior.isPending || undefined}>
          {prior.isPending ? (
            <WaitingRows />
          ) : (
            <Box px={16} py={8}>
              <RetryLine onRetry={() => void prior.refetch()}>Could not get related events</RetryLine>
            </Box>
          )}
        </Box>
      ) : rows.length === 0 ? (
        <Text c="dimmed" px={16} pt={2} pb={15}>
          No events before this one {event.isEdgeIssue ? 'about this gateway' : 'on this instrument'}.
        </Text>
      ) : (
        <Box component="ul" mah={height} mt={8} mb={0} p={0} className={styles.prior}>
          {rows.map((row) => (
            <PriorRow key={row.alarm.id} row={row} of={event} now={now} />
          ))}
        </Box>
      )}
    </Card>
  )
}

/** A row has one line, or two in a narrow card: the description goes where it has room. */
function PriorRow({ row, of, now }: { row: ListedServiceEvent; of: ServiceEvent; now: number }) {
  const { alarm } = row
  const isOther = alarm.instrumentInstalledProductId !== of.instrumentInstalledProductId
  return (
    <Group component="li" gap="0 10px" mih={38} px={16} py={5} data-removed={row.removed || undefined}>
      <Box w={58}>
        <SeverityBadge severity={alarm.severity} />
      </Box>
      <Text w={60} c="dimmed">
        <ZonedTime at={alarm.createdAt} siteZone={alarm.siteTimeZone}>
          {age(alarm.createdAt, now)}
        </ZonedTime>
      </Text>
      <Text fw={500} miw={92}>
        <Link to="/events/$eventId" params={{ eventId: alarm.eventId }}>
          {eventName(alarm)}
        </Link>
      </Text>
      <Text flex="1 1 160px" className={styles.text} dir="auto" title={alarm.description}>
        {row.removed && <VisuallyHidden>deleted: </VisuallyHidden>}
        {isOther && (
          <Text span c="dimmed">
            {alarm.instrumentInstalledProductId}{' '}
          </Text>
        )}
        {alarm.description}
      </Text>
      <StatusBlock status={alarm.alertStatus} />
    </Group>
  )
}

function WaitingRows() {
  return (
    <>
      <VisuallyHidden role="status">Loading prior events…</VisuallyHidden>
      {Array.from({ length: VISIBLE_ROWS }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: grey bars are all the same.
        <Box key={index} h={38} px={16} pt={10}>
          <SkeletonLine width={`${90 - index * 9}%`} />
        </Box>
      ))}
    </>
  )
}

/**
 * Reads earlier events whose texts contain this event's installed product id, newest first: 3-decisions 4, related
 * events. The keyword also finds ids that only start with the same characters; these are shown too.
 */
function priorEventsQuery(event: Pick<ServiceEvent, 'id' | 'instrumentInstalledProductId' | 'createdAt'>) {
  return queryOptions({
    queryKey: serviceEventKeys.priorTo(event.id),
    queryFn: async ({ client, queryKey, signal }): Promise<EventRows & { total: number }> => {
      const query = { keyword: keywordOf(event), stop: event.createdAt, limit: String(PRIOR_EVENTS) }
      const page = await call('listServiceEvents', { query, body: {}, signal })
      const values = page.values.filter(({ alarm }) => alarm.id !== event.id)
      return keepNewer({ values, total: page.total.events }, client.getQueryData<EventRows>(queryKey))
    },
    refetchInterval: REFRESH_MS,
  })
}

function keywordOf({ instrumentInstalledProductId }: Pick<ServiceEvent, 'instrumentInstalledProductId'>): string {
  return instrumentInstalledProductId.slice(0, limits.keyword)
}

/** Returns the address of the list with these events, all of them. Does not replace the user's own filters. */
function priorListAddress(event: Pick<ServiceEvent, 'instrumentInstalledProductId' | 'createdAt'>) {
  const range = { start: THE_BEGINNING, stop: event.createdAt }
  return writeEventSearch({ ...defaultEventSearch, ...range, keyword: keywordOf(event), temporaryFilters: true })
}
