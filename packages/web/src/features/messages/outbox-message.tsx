import type { OutboxMessage } from '@benchwatch/contract/messages/messages'
import { Box, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconCheck, IconCopy, IconDeviceMobileMessage, IconMail } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatClock, formatEventDate, formatEventTime, startOfDay } from '../../lib/time/dates.ts'
import { SegmentedControl } from '../../ui/form/segmented-control.tsx'
import { showFailure } from '../../ui/overlay/toasts.ts'
import { Fact, FactList } from '../../ui/text/fact.tsx'
import { ZonedTime } from '../../ui/time/zoned-time.tsx'
import styles from './messages.module.css'
import { type MessagePart, type OutboxSearch, writeOutboxSearch } from './outbox.search.ts'

interface TextPiece {
  text: string
  isLink: boolean
}

const partLabels: Record<MessagePart, string> = { html: 'E-mail', text: 'Text', headers: 'Headers' }

/** One message: recipient, time and content. A code in it can be copied with one click. */
export function OutboxMessageView(props: {
  message: OutboxMessage
  part: MessagePart
  onPart: (part: MessagePart) => void
}) {
  const { message } = props
  const code = codeIn(message.text ?? '')
  const isMail = message.channel === 'email'
  return (
    <article aria-label={message.subject ?? `Text message to ${message.to}`}>
      <Stack component="header" gap={10} p={16} style={{ borderBottom: '1px solid var(--bw-line)' }}>
        <Title order={2} style={{ overflowWrap: 'anywhere' }}>
          {message.subject ?? 'Text message'}
        </Title>
        <FactList>
          <Fact name="To">{message.to}</Fact>
          <Fact name={message.sentAt === null ? 'Created' : 'Sent'}>
            <ZonedTime at={message.sentAt ?? message.createdAt}>
              {formatEventTime(message.sentAt ?? message.createdAt)}
            </ZonedTime>
          </Fact>
        </FactList>
        <Group justify="space-between" gap={8}>
          {isMail && (
            <SegmentedControl
              label="Part of the e-mail"
              value={props.part}
              options={(['html', 'text', 'headers'] as const).map((value) => ({ value, label: partLabels[value] }))}
              onChange={props.onPart}
            />
          )}
          {code !== null && <CopyCode key={message.id} code={code} />}
        </Group>
      </Stack>
      {isMail ? <MailPart message={message} part={props.part} /> : <p className={styles.bubble}>{message.text}</p>}
    </article>
  )
}

function MailPart({ message, part }: { message: OutboxMessage; part: MessagePart }) {
  if (part === 'headers') {
    const headers = { To: message.to, Subject: message.subject ?? '', ...message.headers }
    return (
      <Box p={16}>
        <FactList>
          {Object.entries(headers).map(([name, value]) => (
            <Fact key={name} name={name}>
              {value}
            </Fact>
          ))}
        </FactList>
      </Box>
    )
  }
  if (part === 'text' || message.html === null) {
    return (
      <pre className={styles.text}>
        {linkPieces(message.text ?? '').map(({ text, isLink }, index) =>
          isLink ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never change places.
            <a key={index} href={text} target="_blank" rel="noreferrer noopener">
              {text}
            </a>
          ) : (
            text
          ),
        )}
      </pre>
    )
  }
  return (
    <iframe
      className={styles.html}
      title="The e-mail as a mail program shows it"
      // No scripts, no forms, no access to this origin. Links open a new tab, as in a mail program.
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      srcDoc={`<base target="_blank">${message.html}`}
    />
  )
}

function CopyCode({ code }: { code: string }) {
  const [isCopied, setCopied] = useState(false)

  async function handleCopy() {
    try {
      await navigator.clipboard.writeText(code)
      setCopied(true)
    } catch {
      showFailure({
        title: 'Could not copy',
        message: `Your browser does not allow access to the clipboard. The code is ${code}.`,
      })
    }
  }

  return (
    <Button
      variant="default"
      leftSection={isCopied ? <IconCheck size={16} stroke={1.8} /> : <IconCopy size={16} stroke={1.7} />}
      onClick={() => void handleCopy()}
    >
      {isCopied ? 'Copied' : 'Copy'} {code}
    </Button>
  )
}

/** Returns the first code in a text: six digits that are not part of a longer number, a name or an address. */
export function codeIn(text: string): string | null {
  return /(?<![\w\-#/.+=])\d{6}(?![\w\-/]|\.\d)/.exec(text)?.[0] ?? null
}

/** Splits a text into links and other text. Punctuation at the end of a sentence is not part of a link. */
export function linkPieces(text: string): TextPiece[] {
  return text.split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]])/).flatMap((piece, index) =>
    // Split puts the captured group at every second index.
    piece === '' ? [] : [{ text: piece, isLink: index % 2 === 1 }],
  )
}

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
