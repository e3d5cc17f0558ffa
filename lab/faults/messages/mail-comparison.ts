import type { Client } from 'pg'
import type { TakenMail } from './mail-sink.ts'

/** Compares the mails that were expected with those that a mail server took, by recipient and event. */
interface MailComparison {
  /** One mail for each event and user, and one to the contact of each event that has a support e-mail. */
  expected: number
  taken: number
  /** Expected mails that were not taken. */
  lost: string[]
  /** Taken mails that were not expected. */
  strange: string[]
  /** Second mails with another Message-ID to the same recipient about the same event. */
  twice: string[]
  /** Message-IDs that arrived more than once, with the number of surplus mails. */
  repeats: Map<string, number>
}

/** Compares all events of the database with the mails; `people` are users who want a mail about each event. */
export async function compareMails(
  database: Client,
  { people, taken }: { people: readonly string[]; taken: readonly TakenMail[] },
): Promise<MailComparison> {
  const { rows } = await database.query<{ event: string; contact: string | null }>(
    `SELECT e.id::text AS event, c.key AS contact FROM service_event e
     LEFT JOIN (instrument i JOIN contact c ON c.id = i.contact_id
       JOIN support_email_template t ON t.instrument_type = i.type)
       ON i.id = e.instrument_id AND t.template_id = e.template_id`,
  )
  const expected = new Set(
    rows.flatMap(({ event, contact }) =>
      [...people, ...(contact === null ? [] : [contact])].map((to) => `${to} ${event}`),
    ),
  )
  const byMeaning = Map.groupBy(taken, ({ to, subject }) => `${to} ${/ORC-(\d+)/.exec(subject)?.[1] ?? subject}`)
  const idsOf = (key: string) => new Set(byMeaning.get(key)?.map(({ messageId }) => messageId))
  const byId = Map.groupBy(taken, ({ messageId }) => messageId)
  return {
    expected: expected.size,
    taken: taken.length,
    lost: [...expected].filter((key) => !byMeaning.has(key)),
    strange: [...byMeaning.keys()].filter((key) => !expected.has(key)),
    twice: [...byMeaning.keys()].filter((key) => idsOf(key).size > 1),
    repeats: new Map(
      [...byId].flatMap(([messageId, mails]) => (mails.length > 1 ? [[messageId, mails.length - 1]] : [])),
    ),
  }
}

/** Returns the row number of a mail in the outbox, from its Message-ID, which stays the same in each attempt. */
function messageNumber(messageId: string): number {
  return Number(/^<outbound\.(\d+)@/.exec(messageId)?.[1])
}

/** Returns the Message-IDs of those mails that the product has not noted as sent. */
export async function unnoted(database: Client, mails: readonly TakenMail[]): Promise<Set<string>> {
  const { rows } = await database.query<{ id: string }>(
    'SELECT id FROM outbound_message WHERE sent_at IS NULL AND id = ANY($1::bigint[])',
    [mails.map(({ messageId }) => messageNumber(messageId))],
  )
  const numbers = new Set(rows.map(({ id }) => Number(id)))
  return new Set(mails.map(({ messageId }) => messageId).filter((id) => numbers.has(messageNumber(id))))
}

/** Counts the mails that the product still has to send. */
export async function countWaiting(database: Client): Promise<number> {
  const { rows } = await database.query<{ waiting: number }>(
    `SELECT (SELECT count(*) FROM outbound_message WHERE sent_at IS NULL AND failed_at IS NULL)::int
       + (SELECT count(*) FROM pending_notification)::int AS waiting`,
  )
  return rows[0]?.waiting ?? 0
}
