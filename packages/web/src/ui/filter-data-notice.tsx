import { Button } from '@mantine/core'
import { Notice } from './notice.tsx'

/** Above the categories of a filter panel while their values are not there. */
export function FilterDataNotice({ isLoading, onRetry }: { isLoading: boolean; onRetry: () => void }) {
  if (isLoading) return <Notice tone="info">Loading filter data…</Notice>
  return (
    <Notice tone="danger">
      Could not get filter data{' '}
      <Button variant="subtle" size="compact-sm" onClick={onRetry}>
        Try again
      </Button>
    </Notice>
  )
}
