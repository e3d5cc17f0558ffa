import type { OutboxMessage } from '@benchwatch/contract/messages'
import { IconDeviceMobileMessage, IconMail } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { formatClock, formatEventDate, formatTooltipTime, startOfDay } from '../../lib/time/dates.ts'
import { type OutboxSearch, writeOutboxSearch } from './outbox.search.ts'
import styles from './outbox-list.module.css'

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
            <span className={styles.channel}>
              {message.channel === 'email' ? (
                <IconMail size={17} stroke={1.6} aria-label="E-mail" role="img" />
              ) : (
                <IconDeviceMobileMessage size={17} stroke={1.6} aria-label="Text message" role="img" />
              )}
            </span>
            <span className={styles.to}>{message.to}</span>
            <time className={styles.time} dateTime={message.createdAt} title={formatTooltipTime(message.createdAt)}>
              {shortTime(message.createdAt)}
            </time>
            <span className={styles.subject}>{message.subject ?? message.text}</span>
            {message.sentAt === null && <span className={styles.waiting}>Waiting</span>}
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
