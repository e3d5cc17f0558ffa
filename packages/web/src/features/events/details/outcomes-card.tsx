import type { Outcome, Outcomes } from '@benchwatch/contract/events/event-details'
import type { ServiceEvent } from '@benchwatch/contract/events/events'
import { Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../lib/http.ts'
import { formatEventDate } from '../../../lib/time/dates.ts'
import { formatSpan } from '../../../lib/time/duration.ts'
import { SegmentedControl } from '../../../ui/form/segmented-control.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { DataTable } from '../../../ui/list/data-table.tsx'
import type { Column } from '../../../ui/list/list-columns.ts'
import { Dash } from '../../../ui/text/fact.tsx'
import { RetryLine } from '../../../ui/text/notice.tsx'
import { serviceEventKeys } from '../events.api.ts'

type Part = 'inScope' | 'everywhere'

/**
 * Shows how other events with the same error were closed: by reason, how many, after what time, and how often the
 * error came back. Shows nothing while there are none.
 */
export function OutcomesCard({ event }: { event: ServiceEvent }) {
  const [chosen, setChosen] = useState<Part>('inScope')
  const outcomes = useQuery(outcomesQuery(event))
  const { inScope, everywhere } = outcomes.data ?? {}
  const isBoth = (inScope?.values.length ?? 0) > 0 && (everywhere?.values.length ?? 0) > 0
  const part = isBoth ? chosen : (everywhere?.values.length ?? 0) > 0 ? 'everywhere' : 'inScope'
  const shown = part === 'everywhere' ? everywhere : inScope
  if (outcomes.isError && outcomes.data === undefined)
    return (
      <Card title={TITLE}>
        <RetryLine onRetry={() => void outcomes.refetch()}>Could not get how this error was closed.</RetryLine>
      </Card>
    )
  if (!shown || shown.values.length === 0) return null
  return (
    <Card
      title={TITLE}
      flush
      end={
        isBoth && (
          <SegmentedControl
            label="Counted events"
            value={part}
            onChange={setChosen}
            options={[
              { value: 'inScope', label: 'Yours' },
              { value: 'everywhere', label: 'All customers' },
            ]}
          />
        )
      }
    >
      <DataTable label={TITLE} columns={columns} rows={shown.values} rowKey={({ reasonClosed }) => reasonClosed} />
      <Text c="dimmed" size="xs" px={16} py={10}>
        {countedLabel(shown, { isEverywhere: part === 'everywhere' || everywhere === null })}
      </Text>
    </Card>
  )
}

const TITLE = 'How this error was closed before'

/** Titles are short, so that five columns fit beside the other cards. */
const columns: readonly Column<Outcome>[] = [
  { key: 'reason', label: 'Reason', grow: 2.2, cell: ({ reasonClosed }) => reasonClosed },
  { key: 'events', label: 'Events', isNumber: true, cell: ({ events }) => events.toLocaleString('en') },
  {
    key: 'time',
    label: 'Median time',
    grow: 1.5,
    isNumber: true,
    cell: ({ medianSeconds }) => formatSpan(medianSeconds),
  },
  {
    key: 'within7',
    label: 'Back in 7 d',
    grow: 1.2,
    isNumber: true,
    cell: ({ within7Days }) => returnLabel(within7Days) ?? <Dash />,
  },
  {
    key: 'within30',
    label: 'In 30 d',
    grow: 1.2,
    isNumber: true,
    cell: ({ within30Days }) => returnLabel(within30Days) ?? <Dash />,
  },
]

/** Below this number of events, the numbers themselves say more than a share. */
const FEWEST_FOR_SHARE = 20

/** Returns '3 of 12', or '15%' from 20 events on; null while no event is old enough. */
export function returnLabel(returns: Outcome['within7Days']): string | null {
  if (returns === null || returns.events === 0) return null
  const { events, cameBack } = returns
  if (events < FEWEST_FOR_SHARE) return `${cameBack} of ${events}`
  const percent = (cameBack / events) * 100
  if (percent > 0 && percent < 1) return '< 1%'
  return percent < 100 && percent > 99 ? '> 99%' : `${Math.round(percent)}%`
}

/** Returns '214 other closed events with this error that you may see, raised since 20-Nov-2023.' and what 'back' means. */
export function countedLabel({ start, values }: Outcomes, { isEverywhere }: { isEverywhere: boolean }): string {
  const count = values.reduce((sum, { events }) => sum + events, 0)
  const counted = count === 1 ? '1 other closed event' : `${count.toLocaleString('en')} other closed events`
  const whose = isEverywhere ? 'from all customers' : 'that you may see'
  return `${counted} with this error ${whose}, raised since ${formatEventDate(start)}. Times run from creation to closing. “Back”: the same instrument raised this error again within that time after closing; events closed more recently are not counted.`
}

/** The past does not change while an event is on the screen. */
function outcomesQuery({ id }: Pick<ServiceEvent, 'id'>) {
  return queryOptions({
    queryKey: serviceEventKeys.outcomesOf(id),
    queryFn: ({ signal }) => call('getEventOutcomes', { params: { id }, signal }),
    staleTime: 5 * 60_000,
    refetchOnWindowFocus: false,
  })
}
