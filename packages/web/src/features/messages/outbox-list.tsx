import type { OutboxMessage } from '@benchwatch/contract/messages/messages'
import { Box, Text } from '@mantine/core'
import { IconDeviceMobileMessage, IconMail } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { formatClock, formatEventDate, startOfDay } from '../../lib/time/dates.ts'
import { ZonedTime } from '../../ui/time/zoned-time.tsx'
import styles from './messages.module.css'
import { type OutboxSearch, writeOutboxSearch } from './outbox.search.ts'

/** Messages, newest first. The open one is marked. */
export function OutboxList({ messages, search }: { messages: readonly OutboxMessage[]; search: OutboxSearch }) {
  return (
    <ul className={styles.list} aria-label="Messages">
      {messages.map((message) => (
        <li key={message.id}>
          <Link
            to="/dev/outbox"
            search={writeOutboxSearch({ ...search, message: message.id })}
            resetScroll={false}
            className={styles.message}
            aria-current={message.id === search.message || undefined}
          >
            <Box component="span" display="flex" c="dimmed" pt={1}>
              {message.channel === 'email' ? (
                <IconMail size={17} stroke={1.6} aria-label="E-mail" role="img" />
              ) : (
                <IconDeviceMobileMessage size={17} stroke={1.6} aria-label="Text message" role="img" />
              )}
            </Box>
            <Text span fw={570} truncate="end">
              {message.to}
            </Text>
            <Text span size="xs" c="dimmed">
              <ZonedTime at={message.createdAt}>{shortTime(message.createdAt)}</ZonedTime>
            </Text>
            <Text span c="dimmed" truncate="end" style={{ gridColumn: 2 }}>
              {message.subject ?? message.text}
            </Text>
            {message.sentAt === null && (
              <Text span size="xs" fw={570} c="var(--bw-progress)">
                Waiting
              </Text>
            )}
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** Returns the time for messages of today, the date for older ones. */
function shortTime(at: string): string {
  return new Date(at) >= startOfDay(new Date()) ? formatClock(at) : formatEventDate(at)
}
