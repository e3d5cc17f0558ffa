import { Badge, VisuallyHidden } from '@mantine/core'
import type { FilterChoice } from '../../../lib/list/filter-choice.ts'

export interface FilterPanelProps<K extends string> {
  chosen: FilterChoice<K>
  onChange: (chosen: FilterChoice<K>) => void
  onClose: () => void
}

/** The number of chosen values or categories. */
export function ChosenCount({ count }: { count: number }) {
  return (
    <Badge size="sm" px={6} flex="none">
      {count}
      <VisuallyHidden> chosen</VisuallyHidden>
    </Badge>
  )
}
