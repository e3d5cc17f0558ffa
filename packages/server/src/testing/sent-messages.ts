import type { Db } from '../db/connect.ts'

/** Returns the last message to an address or number; undefined if there is none. */
export async function lastMessageTo(
  db: Db,
  recipient: string,
): Promise<{ template: string; subject: string | null; text: string } | undefined> {
  const row = await db
    .selectFrom('outbound_message')
    .select(['template', 'subject', 'text'])
    .where('recipient', '=', recipient)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && { ...row, text: row.text ?? '' }
}

/** Returns the six-digit code in the last message. Throws if there is none. */
export async function lastCodeTo(db: Db, recipient: string): Promise<string> {
  const message = await lastMessageTo(db, recipient)
  const code = /\b\d{6}\b/.exec(message?.text ?? '')?.[0]
  if (code === undefined) throw new Error(`No code was sent to ${recipient}.`)
  return code
}

export async function countMessagesTo(db: Db, recipient: string): Promise<number> {
  const rows = await db.selectFrom('outbound_message').select('id').where('recipient', '=', recipient).execute()
  return rows.length
}
