/** One text message. `to` is in international form (E.164). */
export interface Sms {
  to: string
  text: string
}

/** The door through which text messages leave. */
export interface SmsSender {
  readonly kind: 'outbox' | 'twilio'
  /** Resolves once the other side has taken it. Throws DeliveryError. */
  send(sms: Sms): Promise<void>
}
