import type { GatewayFeed } from '@benchwatch/contract/backoffice'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { agePhrase } from '../../lib/age.ts'
import { counted } from '../../lib/counted.ts'
import { formatTooltipTime } from '../../lib/dates.ts'
import { reasonOf } from '../../lib/reason.ts'
import { Card } from '../../ui/card.tsx'
import { DataTable, type TableColumn } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import { showFailure, showSuccess } from '../../ui/toasts.ts'
import { useNow } from '../../ui/use-now.ts'
import { gatewayFeedsQuery, useInjectTests } from './backoffice.api.ts'
import styles from './backoffice.module.css'
import { feedStateWords, feedSummary, secondsWords, testWords, worstFirst } from './feed-words.ts'

/** How each gateway is heard, what was lost or came twice, and what became of its last test. Read again every 10 s. */
export function FeedState() {
  const feeds = useQuery(gatewayFeedsQuery())
  const inject = useInjectTests()
  const now = useNow()

  async function handleTest() {
    try {
      const { gateways } = await inject.mutateAsync(undefined)
      showSuccess({
        title: gateways === 1 ? 'Test sent through 1 gateway' : `Tests sent through ${gateways} gateways`,
        message: 'What becomes of them is shown here.',
      })
    } catch (error) {
      showFailure({ title: 'No test was sent', message: reasonOf(error) })
    }
  }

  const summary = feeds.data === undefined ? null : feedSummary(feeds.data)
  return (
    <div className={styles.section}>
      <div className={styles.tools}>
        <p className={styles.quiet}>
          {feeds.data === undefined
            ? 'How each gateway is heard, read again every 10 seconds.'
            : `${counted(feeds.data.length, 'gateway')}: ${summary ?? 'all heard'}. Gaps and duplicates of 24 hours; read again every 10 seconds.`}
        </p>
        <Button loading={inject.isPending} onClick={() => void handleTest()}>
          Run a test now
        </Button>
      </div>
      <Card flush>
        {feeds.isError && feeds.data === undefined ? (
          <ErrorState title="Could not get the state of the feed" onRetry={() => void feeds.refetch()}>
            {feeds.error.message}
          </ErrorState>
        ) : feeds.data?.length === 0 ? (
          <EmptyState title="No gateways">None of a customer that you see is registered.</EmptyState>
        ) : (
          <div className={styles.feed}>
            <DataTable
              label="State of the feed"
              columns={columnsAt(now)}
              rows={feeds.data && worstFirst(feeds.data)}
              rowKey={({ gateway }) => gateway}
              expectedRows={8}
            />
          </div>
        )}
      </Card>
    </div>
  )
}

const count = (number: number) => (
  <span className={styles.number} data-none={number === 0 || undefined}>
    {number.toLocaleString('en')}
  </span>
)

const columnsAt = (now: number): TableColumn<GatewayFeed>[] => [
  {
    key: 'gateway',
    label: 'Gateway',
    width: '2.3fr',
    cell: ({ gateway, customer, instruments }) => (
      <span className={styles.named}>
        <strong>{gateway}</strong>
        <span className={styles.quiet}>
          <bdi>{customer}</bdi> · {counted(instruments, 'instrument')}
        </span>
      </span>
    ),
  },
  {
    key: 'state',
    label: 'State',
    width: '1fr',
    cell: ({ state }) => (
      <span title={feedStateWords[state].means}>
        <StatusMark tone={feedStateWords[state].tone}>{feedStateWords[state].word}</StatusMark>
      </span>
    ),
  },
  {
    key: 'last',
    label: 'Last message',
    width: '1fr',
    cell: ({ lastMessageAt }) =>
      lastMessageAt === null ? (
        'Never'
      ) : (
        <time dateTime={lastMessageAt} title={formatTooltipTime(lastMessageAt)}>
          {agePhrase(lastMessageAt, now)}
        </time>
      ),
  },
  {
    key: 'lag',
    label: 'Lag',
    width: '0.7fr',
    cell: ({ lagSeconds }) => (lagSeconds === null ? '–' : secondsWords(lagSeconds)),
  },
  { key: 'gaps', label: 'Gaps', width: '0.6fr', cell: ({ gaps }) => count(gaps) },
  { key: 'duplicates', label: 'Duplicates', width: '0.7fr', cell: ({ duplicates }) => count(duplicates) },
  {
    key: 'parked',
    label: 'Parked',
    width: '0.6fr',
    cell: ({ parked, gateway }) =>
      parked === 0 ? (
        count(0)
      ) : (
        <Link to="/backoffice" search={{ tool: 'parked', gateway }} aria-label={`${parked} parked items of ${gateway}`}>
          {parked.toLocaleString('en')}
        </Link>
      ),
  },
  {
    key: 'test',
    label: 'Last test',
    width: '1.5fr',
    cell: ({ lastTest }) =>
      lastTest === null ? (
        'None yet'
      ) : (
        <span className={styles.named} title={formatTooltipTime(lastTest.at)}>
          <StatusMark tone={testWords[lastTest.result].tone}>{testWords[lastTest.result].word}</StatusMark>
          <span className={styles.quiet}>
            {lastTest.seconds !== null && `after ${secondsWords(lastTest.seconds)}, `}
            {agePhrase(lastTest.at, now)}
          </span>
        </span>
      ),
  },
]
