import { Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { midSentence } from '../../../lib/folded.ts'
import type { ListPlace } from '../../../lib/list/list-address.ts'
import { SegmentedControl } from '../../../ui/form/segmented-control.tsx'
import { TableCard, type TableCardProps } from '../../../ui/list/table-card.tsx'

/** A paged list of open or resolved items: a switch between both, and the table. */
export function WaitingList<State extends string, Row>({
  states,
  state,
  onState,
  filters,
  ...table
}: TableCardProps<Row> & {
  states: readonly { value: State; label: string }[]
  state: State
  onState: (state: State) => void
  filters?: ReactNode
  place: ListPlace
  onPlace: (place: ListPlace) => void
}) {
  return (
    <Stack gap={14}>
      <Group justify="space-between" gap="10px 16px">
        <SegmentedControl
          label={`State of ${midSentence(table.label)}`}
          value={state}
          options={states}
          onChange={(chosen) => {
            onState(chosen)
            table.onPlace({ ...table.place, page: 1 })
          }}
        />
        {filters}
      </Group>
      <TableCard {...table} expectedRows={4} />
    </Stack>
  )
}
