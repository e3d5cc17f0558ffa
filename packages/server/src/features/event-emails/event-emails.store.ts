import type { Trx } from '../../db/connect.ts'

/** A mail to one user about an event, as its message says it. */
export interface NewEventEmail {
  senderId: number
  receiverId: number
  recipient: string
  recipientName: string
  subject: string
  body: string
  /** Tells when it leaves. */
  messageId: number | null
}

export async function insertEventEmails(
  trx: Trx,
  { eventId, emails, at }: { eventId: number; emails: readonly NewEventEmail[]; at: Date },
): Promise<void> {
  await trx
    .insertInto('event_email')
    .values(
      emails.map((email) => ({
        event_id: eventId,
        sender_id: email.senderId,
        receiver_id: email.receiverId,
        recipient: email.recipient,
        recipient_name: email.recipientName,
        subject: email.subject,
        body: email.body,
        created_at: at,
        message_id: email.messageId,
      })),
    )
    .execute()
}
