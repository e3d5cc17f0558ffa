import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { similarEventCounts } from '@benchwatch/contract/vocabulary'
import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { NativeSelect } from '../../ui/native-select.tsx'
import { RetryLine } from '../../ui/retry-line.tsx'
import { TabCard } from '../../ui/tab-card.tsx'
import type { Viewer } from './event-owner.ts'
import { ShortEventTable } from './short-event-table.tsx'
import { type Likeness, similarEventsQuery } from './similar-events.api.ts'
import styles from './similar-events.module.css'

/**
 * The card with earlier events of the same instrument and of the same error on all instruments: document 1 section 2,
 * 3-decisions 4. Which ones came before does not change; their rows follow live messages.
 */
export function SimilarEvents({ event, viewer }: { event: ServiceEvent; viewer: Viewer }) {
  const [tab, setTab] = useState<'previous' | 'recent'>('previous')
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
            className={styles.count}
            aria-label="How many events"
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
      <div className={styles.message}>
        <RetryLine onRetry={() => void similar.refetch()}>Could not get events</RetryLine>
      </div>
    )
  if (rows?.length === 0) return <p className={styles.message}>{nothingWords(event, likeness)}</p>
  return (
    <ShortEventTable
      rows={rows}
      viewer={props.viewer}
      showsInstrument={likeness === 'error'}
      isStale={similar.isPlaceholderData}
    />
  )
}

function nothingWords({ isEdgeIssue }: ServiceEvent, likeness: Likeness): string {
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
