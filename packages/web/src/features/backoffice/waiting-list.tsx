import { Box, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { SegmentedControl } from '../../ui/form/segmented-control.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { FewerPages, Pagination, pageCount } from '../../ui/list/pagination.tsx'
import { ErrorState } from '../../ui/text/notice.tsx'
import type { WaitingPage } from './backoffice.api.ts'

/** A paged list of open or resolved items: a switch between both, the table and the pages. */
export function WaitingList<State extends string>(props: {
  label: string
  states: readonly { value: State; label: string }[]
  state: State
  onState: (state: State) => void
  filters?: ReactNode
  place: WaitingPage
  onPlace: (place: WaitingPage) => void
  list: {
    data: { values: readonly unknown[]; total: number } | undefined
    error: Error | null
    isPlaceholderData: boolean
    refetch: () => unknown
  }
  failureTitle: string
  empty: ReactNode
  children: ReactNode
}) {
  const { list, place } = props
  const total = list.data?.total ?? 0
  const pages = pageCount(total, place.pageSize)
  const isBeyondEnd = list.data?.values.length === 0 && !list.isPlaceholderData
  return (
    <Stack gap={14}>
      <Group justify="space-between" gap="10px 16px">
        <SegmentedControl
          label={props.label}
          value={props.state}
          options={props.states}
          onChange={(state) => props.onState(state)}
        />
        {props.filters}
      </Group>
      <Card flush>
        {list.data === undefined && list.error !== null ? (
          <ErrorState title={props.failureTitle} onRetry={() => void list.refetch()}>
            {list.error.message}
          </ErrorState>
        ) : list.data !== undefined && total === 0 ? (
          props.empty
        ) : isBeyondEnd ? (
          <FewerPages onLastPage={() => props.onPlace({ ...place, page: pages })} />
        ) : (
          props.children
        )}
        {total > 0 && (
          <Box style={{ borderTop: '1px solid var(--bw-line)' }}>
            <Pagination
              page={Math.min(place.page, pages)}
              pageSize={place.pageSize}
              total={total}
              onPage={(page) => props.onPlace({ ...place, page })}
              onPageSize={(pageSize) => props.onPlace({ page: 1, pageSize })}
            />
          </Box>
        )}
      </Card>
    </Stack>
  )
}

/** The content of a table cell with a quieter second line. */
export function TwoLines({ second, title, children }: { second: ReactNode; title?: string; children: ReactNode }) {
  return (
    <Stack gap={1} align="flex-start" miw={0} title={title}>
      <div>{children}</div>
      {second !== false && (
        <Text size="xs" c="dimmed">
          {second}
        </Text>
      )}
    </Stack>
  )
}
