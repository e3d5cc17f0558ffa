/** Whether the contact of an instrument is mailed about an event: pure, facts in, verdict out (3-decisions 7). */

export interface Situation {
  /** AUTO_EMAIL for the deployment. */
  isSwitchedOn: boolean
  /** NOTIFY_UNDER_REVIEW for the deployment. */
  tellsUnderReview: boolean
  /** Null where there is none any more. */
  template: { isUnderReview: boolean } | null
  isClosed: boolean
  /** Null without a contact whose address is one. */
  contactEmail: string | null
  hasUnsubscribed: boolean
  isInMaintenance: boolean
}

export type Verdict =
  | { kind: 'send' }
  /** Decided anew when the maintenance is over. */
  | { kind: 'hold' }
  /** Never sent; `closesEvent` because the contact wants to hear nothing of it. */
  | { kind: 'withdraw'; reason: string; closesEvent: boolean }

export function decideMail(situation: Situation): Verdict {
  const withdraw = (reason: string): Verdict => ({ kind: 'withdraw', reason, closesEvent: false })
  if (!situation.isSwitchedOn) return withdraw('Automatic support e-mails are switched off.')
  if (!situation.template) return withdraw('Its template was deleted.')
  if (situation.template.isUnderReview && !situation.tellsUnderReview) return withdraw('Its template is under review.')
  if (situation.isClosed) return withdraw('The event was closed before its mail could leave.')
  if (situation.contactEmail === null) return withdraw('The instrument has no contact with an e-mail address.')
  if (situation.hasUnsubscribed) return { kind: 'withdraw', reason: 'Customer unsubscribed', closesEvent: true }
  return { kind: situation.isInMaintenance ? 'hold' : 'send' }
}
