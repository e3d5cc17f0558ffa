import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { similarEventCounts } from '@benchwatch/contract/vocabulary'
import { Box, Checkbox, Text } from '@mantine/core'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../lib/http.ts'
import { NativeSelect } from '../../../ui/form/native-select.tsx'
import { TabCard } from '../../../ui/layout/card.tsx'
import { RetryLine } from '../../../ui/text/notice.tsx'
import { type EventRows, keepNewer } from '../event-cache.ts'
import { serviceEventKeys } from '../events.api.ts'
import type { Viewer } from '../owner/event-owner.ts'
import { ShortEventTable } from './short-event-table.tsx'

/** Properties in common: the instrument, the instrument and the error, or the error on any instrument. */
type Likeness = 'instrument' | 'instrument-and-error' | 'error'

type CurrentEvent = Pick<ServiceEvent, 'id' | 'templateId' | 'createdAt' | 'instrumentInstalledProductId'>

/**
 * Shows earlier events of the same instrument, and of the same error on all instruments: document 1 section 2,
 * 3-decisions 4. The set does not change; its rows follow live messages.
 */
export function SimilarEvents({ event, viewer }: { event: ServiceEvent; viewer: Viewer }) {
  // 'Prior Event Notification' already shows the previous events of this instrument.
  const [tab, setTab] = useState<'previous' | 'recent'>('recent')
  const [thisErrorOnly, setThisErrorOnly] = useState(false)
  const [count, setCount] = useState<number>(similarEventCounts[0])
  return (
    <TabCard
      label="Similar events"
      value={tab}
      onChange={setTab}
      tabs={[
        {
          value: 'previous',
          name: 'Previous events',
          panel: () => (
            <SimilarList
              event={event}
              viewer={viewer}
              likeness={thisErrorOnly ? 'instrument-and-error' : 'instrument'}
              count={count}
            />
          ),
        },
        {
          value: 'recent',
          name: 'Recent similar events (All instruments)',
          panel: () => <SimilarList event={event} viewer={viewer} likeness="error" count={count} />,
        },
      ]}
      end={
        <>
          {tab === 'previous' && (
            <Checkbox
              size="xs"
              label="This error only"
              checked={thisErrorOnly}
              onChange={({ currentTarget }) => setThisErrorOnly(currentTarget.checked)}
            />
          )}
          <NativeSelect
            aria-label="Number of events"
            value={count}
            onChange={({ currentTarget }) => setCount(Number(currentTarget.value))}
          >
            {similarEventCounts.map((choice) => (
              <option key={choice} value={choice}>
                Show {choice}
              </option>
            ))}
          </NativeSelect>
        </>
      }
    />
  )
}

function SimilarList(props: { event: ServiceEvent; viewer: Viewer; likeness: Likeness; count: number }) {
  const { event, likeness } = props
  const similar = useQuery(similarEventsQuery(event, props))
  const rows = similar.data?.values
  if (rows === undefined && similar.isError)
    return (
      <Box p="18px 16px 20px">
        <RetryLine onRetry={() => void similar.refetch()}>Could not get events</RetryLine>
      </Box>
    )
  if (rows?.length === 0)
    return (
      <Text c="dimmed" p="18px 16px 20px">
        {nothingLabel(event, likeness)}
      </Text>
    )
  return (
    <ShortEventTable
      rows={rows}
      viewer={props.viewer}
      showsInstrument={likeness === 'error'}
      isStale={similar.isPlaceholderData}
    />
  )
}

function nothingLabel({ isEdgeIssue }: ServiceEvent, likeness: Likeness): string {
  const where = isEdgeIssue ? 'about this gateway' : 'on this instrument'
  switch (likeness) {
    case 'instrument':
      return `No earlier events ${where}.`
    case 'instrument-and-error':
      return `No earlier events with this error ${where}.`
    case 'error':
      return 'No earlier events with this error on any instrument.'
  }
}

/** Reads the newest events like this one that were created before it: 3-decisions 4, similar events. */
function similarEventsQuery(event: CurrentEvent, { likeness, count }: { likeness: Likeness; count: number }) {
  return queryOptions({
    queryKey: serviceEventKeys.similarTo(event.id, likeness, count),
    queryFn: async ({ client, queryKey, signal }): Promise<EventRows> => {
      const query = { ...likenessQuery(event, likeness), date: event.createdAt, maxResultsQuantity: String(count) }
      const answer = await call('listSimilarEvents', { query, signal })
      return keepNewer(answer, client.getQueryData<EventRows>(queryKey))
    },
    // Keeps the current rows while more are loaded or the checkbox changes.
    placeholderData: keepPreviousData,
    // Rows would move under the pointer; live messages keep them up to date.
    refetchOnWindowFocus: false,
  })
}

function likenessQuery({ templateId, instrumentInstalledProductId }: CurrentEvent, likeness: Likeness) {
  switch (likeness) {
    case 'instrument':
      return { instrumentInstalledProductId }
    case 'instrument-and-error':
      return { instrumentInstalledProductId, templateId, thisEventOnly: 'true' as const }
    case 'error':
      return { templateId }
  }
}
