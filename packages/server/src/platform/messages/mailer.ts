/** One mail, ready to go. Values come from people and instruments: only a library may put them into headers. */
export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  /** Further headers, such as List-Unsubscribe. */
  headers: Readonly<Record<string, string>>
  /** Stable for one message, so that a repeat after a crash can be told from a second mail. */
  messageId: string
}

/** The door through which mails leave. */
export interface Mailer {
  readonly kind: 'outbox' | 'smtp'
  /** Resolves once the other side has taken it. Throws DeliveryError. */
  send(mail: Mail): Promise<void>
  close(): void
}
