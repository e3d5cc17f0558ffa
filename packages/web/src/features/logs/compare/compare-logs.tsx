import { Anchor, Button, Group, Paper, SimpleGrid, Text, VisuallyHidden } from '@mantine/core'
import { ApiError } from '../../../lib/http.ts'
import { EmptyState, ErrorState, Notice, RetryLine } from '../../../ui/text/notice.tsx'
import { SkeletonLine } from '../../../ui/text/skeleton.tsx'
import { logLabel } from '../log-labels.ts'
import { missingBefore } from '../log-pages.ts'
import { formatLineTime, missingLines } from '../log-time.ts'
import { type Side, sides } from './compare-address.ts'
import { type Direction, nextToRead, type PlacedLine } from './compare-lines.ts'
import { CompareTable } from './compare-table.tsx'
import { CompareTools } from './compare-tools.tsx'
import { type ComparedLogs, type Comparison, type ComparisonInput, useComparison } from './use-comparison.ts'

/**
 * Two logs of an instrument on one time axis, with the moment of an event marked across both. The state is in the
 * address; changes go out through `onAddress`.
 */
export function CompareLogs(props: ComparisonInput) {
  const comparison = useComparison(props)
  const { address, available, compared, picking, stopPicking } = comparison
  if (available.error instanceof ApiError && available.error.status === 404)
    return (
      <ErrorState title="Instrument could not be found.">
        It may have been removed, or it belongs to a customer that you can’t see. Check its id in the address.
      </ErrorState>
    )
  return (
    <>
      {address.problems.length > 0 && (
        <Notice tone="warning">
          {address.problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </Notice>
      )}
      {available.isError && (
        <RetryLine onRetry={() => void available.refetch()}>Could not get the list of logs</RetryLine>
      )}
      <CompareTools of={comparison} />
      <Paper
        withBorder
        display="flex"
        style={{ flexDirection: 'column', overflow: 'hidden' }}
        flex={{ base: 'none', md: 1 }}
        h={{ base: 'calc(100dvh - var(--bw-header) - var(--bw-bottom, 0px) - 20px)', md: 'auto' }}
        mih={{ base: 420, md: 320 }}
      >
        {picking !== null && (
          <Group role="status" justify="space-between" gap="6px 16px" px={12} py={8} bg="var(--bw-accent-soft)">
            <Text>{pickingText(comparison, picking.picked)}</Text>
            <Button variant="default" size="compact-sm" onClick={stopPicking}>
              Cancel
            </Button>
          </Group>
        )}
        <CompareTable
          of={comparison}
          instead={insteadOfLines(comparison)}
          older={<LogEnd of={compared} direction="older" />}
          newer={<LogEnd of={compared} direction="newer" />}
        />
      </Paper>
      <VisuallyHidden role="status">{comparison.said}</VisuallyHidden>
    </>
  )
}

/** Says why there are no lines to show, and what to do; null if there are. */
function insteadOfLines({ compared, lines }: Comparison) {
  if (compared.isLoading) return <CompareSkeleton />
  if (lines.length > 0) return null
  const logs = sides.map((side) => compared.logs[side])
  const missing = missingOf(compared)
  if (missing !== null) return <ErrorState title={missing.sentence} onRetry={missing.retry} />
  if (logs.some(({ status }) => status === 'ready'))
    return <EmptyState title="No logs found - Try a different timespan, text-search or log-type" />
  if (logs.some(({ status }) => status === 'failed'))
    return <ErrorState title="Could not get logs" onRetry={() => logs.forEach(({ query }) => void query.refetch())} />
  return <EmptyState title="Choose two logs">Their lines are shown side by side in order of time.</EmptyState>
}

/** Instructions while the user picks two lines of the same moment. */
function pickingText({ address }: Comparison, picked: PlacedLine | null): string {
  if (picked === null)
    return 'Align: select the time of a line on either side, then the line of the same moment on the other.'
  const name = (side: Side) => (address[side] === null ? '' : logLabel(address[side]))
  const other = name(picked.side === 'first' ? 'second' : 'first')
  return `${name(picked.side)} ${formatLineTime(picked.at)} is selected. Now select the line of the same moment in ${other}.`
}

/** Text above the oldest row and below the newest. */
function LogEnd({ of: compared, direction }: { of: ComparedLogs; direction: Direction }) {
  const { logs, pair } = compared
  const readable = sides.map((side) => logs[side]).filter(({ status }) => status === 'ready')
  const failed = readable.filter((log) => log[direction].hasFailed)
  if (failed.length > 0)
    return <RetryLine onRetry={() => failed.forEach((log) => log[direction].read())}>Could not get logs</RetryLine>
  if (nextToRead(pair, direction) !== null || readable.some((log) => log[direction].isLoading))
    return `Loading ${direction} lines…`
  const missing = direction === 'older' ? missingOf(compared) : null
  if (missing !== null) return <RetryLine onRetry={missing.retry}>{missing.sentence}</RetryLine>
  if (direction === 'older') return 'No older lines'
  // An empty log has no line to continue from, so it is read again.
  const checkAgain = () =>
    readable.forEach(({ page, query, newer }) => void (page?.lines.length ? newer.read() : query.refetch()))
  return (
    <>
      No newer lines{' '}
      <Anchor component="button" type="button" fz={12} fw={600} mih={24} ml={6} onClick={checkAgain}>
        Check again
      </Anchor>
    </>
  )
}

/** Returns what to say and to do in place of older lines that cannot be read; null if all can. */
function missingOf({ logs }: ComparedLogs): { sentence: string; retry: () => void } | null {
  const affected = sides.map((side) => logs[side]).filter(({ page }) => page && missingBefore(page) !== null)
  const [latest] = affected
    .flatMap(({ page }) => page?.completeFrom ?? [])
    .sort()
    .reverse()
  if (latest === undefined) return null
  return { sentence: missingLines(latest), retry: () => affected.forEach(({ query }) => void query.refetch()) }
}

/** Lines of uneven width in both columns, so that it looks like two logs. */
export function CompareSkeleton() {
  return (
    <SimpleGrid cols={2} spacing={24} verticalSpacing={16} p={12} role="status" aria-label="Loading logs">
      {Array.from({ length: 32 }, (_, index) => (
        // The order never changes.
        <SkeletonLine key={index} width={`${30 + ((index * 37) % 60)}%`} />
      ))}
    </SimpleGrid>
  )
}
