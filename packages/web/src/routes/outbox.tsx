import { Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { outboxQuery } from '../features/messages/messages.api.ts'
import { type OutboxSearch, readOutboxSearch, writeOutboxSearch } from '../features/messages/outbox.search.ts'
import { OutboxList, OutboxMessageView } from '../features/messages/outbox-message.tsx'
import { counted } from '../lib/folded.ts'
import { ApiError } from '../lib/http.ts'
import { Card } from '../ui/layout/card.tsx'
import { PageHeader } from '../ui/layout/page-frame.tsx'
import { SearchBox } from '../ui/list/filters/search-box.tsx'
import { EmptyState, ErrorState } from '../ui/text/notice.tsx'
import { NotFoundScreen } from './not-found.tsx'
import styles from './outbox.module.css'

/** /dev/outbox: messages sent through the demo's mail and SMS transports. Not found without demo data. */
export function OutboxScreen() {
  const search = readOutboxSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const outbox = useQuery(outboxQuery())
  const go = (next: Partial<OutboxSearch>) =>
    void navigate({
      to: '/dev/outbox',
      search: writeOutboxSearch({ ...search, ...next }),
      replace: true,
      resetScroll: false,
    })

  if (outbox.error instanceof ApiError && outbox.error.status === 404) return <NotFoundScreen />
  const recipient = search.to.trim().toLowerCase()
  const messages = outbox.data?.filter(({ to }) => to.toLowerCase().includes(recipient))
  const open = outbox.data?.find(({ id }) => id === search.message)
  return (
    <Stack className={styles.page} gap={14} maw={1280} mx="auto" data-open={open !== undefined || undefined}>
      <PageHeader
        title="Outbox"
        note="E-mails and text messages sent by this demo. None of them leaves this machine."
      />
      {outbox.error !== null ? (
        <Card>
          <Failure error={outbox.error} onRetry={() => void outbox.refetch()} />
        </Card>
      ) : (
        <>
          <Group className={styles.tools} gap="8px 14px">
            <SearchBox label="Recipient" keyword={search.to} maxLength={200} onChange={(to) => go({ to })} />
            <Text span c="dimmed" role="status">
              {messages && counted(messages.length, 'message')}
            </Text>
          </Group>
          <div className={styles.columns}>
            <div className={styles.list}>
              <Card flush>
                {messages === undefined ? (
                  <Loading />
                ) : messages.length > 0 ? (
                  <OutboxList messages={messages} search={search} />
                ) : recipient === '' ? (
                  <EmptyState title="Nothing has been sent yet">
                    Request a new password on the login page: the e-mail with the code appears here.
                  </EmptyState>
                ) : (
                  <EmptyState
                    title="No messages to this recipient"
                    action={{ label: 'Show all', onClick: () => go({ to: '' }) }}
                  />
                )}
              </Card>
            </div>
            <div className={styles.open}>
              {open && (
                <Link to="/dev/outbox" search={writeOutboxSearch({ ...search, message: null })} className={styles.back}>
                  ‹ All messages
                </Link>
              )}
              <Card flush>
                {open ? (
                  <OutboxMessageView message={open} part={search.part} onPart={(part) => go({ part })} />
                ) : (
                  <EmptyState title={search.message === null ? 'Select a message' : 'This message does not exist'}>
                    The newest message is at the top.
                  </EmptyState>
                )}
              </Card>
            </div>
          </div>
        </>
      )}
    </Stack>
  )
}

function Failure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const isRefused = error instanceof ApiError && (error.status === 401 || error.status === 403)
  return isRefused ? (
    <ErrorState title="The outbox is only available on the demo machine" onRetry={onRetry}>
      On another machine, sign in as an administrator.
    </ErrorState>
  ) : (
    <ErrorState title="Could not get the outbox" onRetry={onRetry}>
      {error.message}
    </ErrorState>
  )
}

function Loading() {
  return (
    <Stack gap={14} p="18px 16px" role="status" aria-label="Loading messages">
      {['60%', '80%', '50%'].map((width) => (
        <Skeleton key={width} h={10} w={width} />
      ))}
    </Stack>
  )
}
