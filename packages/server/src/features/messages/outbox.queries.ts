import type { OutboxMessage } from '@benchwatch/contract/messages'
import type { Config } from '../../config.ts'
import type { Db } from '../../db/connect.ts'
import { automaticHeaders, messageIdOf } from './mail-headers.ts'

/** An outbox is looked at for what came last. */
const SHOWN = 1000

/** What the demo's transports took or are about to take, oldest first; the newest 1,000. */
export async function readOutbox(db: Db, config: Pick<Config, 'mail' | 'publicUrl'>): Promise<OutboxMessage[]> {
  const rows = await db
    .selectFrom('outbound_message')
    .select(['id', 'channel', 'recipient', 'subject', 'text', 'html', 'headers', 'created_at', 'sent_at'])
    .orderBy('id', 'desc')
    .limit(SHOWN)
    .execute()
  return rows.reverse().map((row) => ({
    id: String(row.id),
    channel: row.channel,
    to: row.recipient,
    subject: row.subject,
    text: row.text,
    html: row.html,
    headers:
      row.channel === 'sms'
        ? {}
        : { From: config.mail.from, 'Message-ID': messageIdOf(row.id, config), ...automaticHeaders, ...row.headers },
    createdAt: row.created_at.toISOString(),
    sentAt: row.sent_at?.toISOString() ?? null,
  }))
}
