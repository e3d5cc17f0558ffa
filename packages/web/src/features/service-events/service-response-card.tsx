import type { ServiceResponse } from '@benchwatch/contract/event-details'
import type { ServiceEvent } from '@benchwatch/contract/service-events'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatElapsed } from '../../lib/duration.ts'
import { Card } from '../../ui/card.tsx'
import { Dash } from '../../ui/fact.tsx'
import { RetryLine } from '../../ui/retry-line.tsx'
import { serviceResponseQuery } from './service-events.api.ts'
import styles from './service-response-card.module.css'

const spans: readonly { key: keyof ServiceResponse; name: string; hint: string }[] = [
  { key: 'alertToAcknowledgeTime', name: 'To acknowledge', hint: 'From its creation until somebody took it' },
  { key: 'duration', name: 'In progress', hint: 'From the moment somebody took it until it was closed' },
  { key: 'eventReasonClosed', name: 'To close', hint: 'From its creation until it was closed' },
]

/** How fast the event was taken and closed, as 'NNd / NNh / NNm'; a dash for what has not happened yet. */
export function ServiceResponseCard({ event }: { event: ServiceEvent }) {
  const response = useQuery(serviceResponseQuery(event))
  return (
    <Card title="Service response">
      {response.isError && response.data === undefined ? (
        <RetryLine onRetry={() => void response.refetch()}>Could not get the service response.</RetryLine>
      ) : (
        <div className={styles.room}>
          <dl className={styles.spans}>
            {spans.map(({ key, name, hint }) => (
              <div key={key} title={hint}>
                <dt>{name}</dt>
                <dd>{elapsedWords(response.data?.[key])}</dd>
              </div>
            ))}
          </dl>
        </div>
      )}
    </Card>
  )
}

/** Undefined while it is read: then nothing, in the place that the value will take. */
function elapsedWords(seconds: number | null | undefined): ReactNode {
  if (seconds === undefined) return '\u00a0'
  return seconds === null ? <Dash /> : formatElapsed(seconds)
}
