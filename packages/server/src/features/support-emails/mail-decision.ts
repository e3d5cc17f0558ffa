import type { Config } from '../../config.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { instrumentsInMaintenance } from '../maintenance/maintenance.lookup.ts'
import { readUnsubscribed } from '../unsubscribe/unsubscribe.store.ts'
import { featureIsOnForDeployment } from '../users/users.lookup.ts'
import { countWritten } from './support-email.store.ts'
import { type MailSubject, readMailSubjects } from './support-email-subjects.queries.ts'

const HOUR_MS = 3_600_000

/** Returns how many more e-mails a contact may get within the hour. */
type Allowance = (contactEmail: string) => number

export interface Situation {
  /** True if AUTO_EMAIL is on for the deployment. */
  isSwitchedOn: boolean
  /** True if NOTIFY_UNDER_REVIEW is on for the deployment. */
  sendsUnderReview: boolean
  /** Null if the template no longer exists. */
  template: { isUnderReview: boolean } | null
  isClosed: boolean
  /** Null if there is no contact with a valid address. */
  contactEmail: string | null
  hasUnsubscribed: boolean
  isInMaintenance: boolean
}

export type Verdict =
  | { kind: 'send' }
  /** Decided again when the maintenance is over. */
  | { kind: 'hold' }
  /** Never sent. `closesEvent` is true if the contact has unsubscribed. */
  | { kind: 'withdraw'; reason: string; closesEvent: boolean }

/** Decides whether an instrument's contact gets an e-mail about an event (3-decisions 7). Pure. */
export function decideMail(situation: Situation): Verdict {
  const withdraw = (reason: string): Verdict => ({ kind: 'withdraw', reason, closesEvent: false })
  if (!situation.isSwitchedOn) return withdraw('Automatic support e-mails are switched off.')
  if (!situation.template) return withdraw('Its template was deleted.')
  if (situation.template.isUnderReview && !situation.sendsUnderReview) return withdraw('Its template is under review.')
  if (situation.isClosed) return withdraw('The event was closed before the e-mail could be sent.')
  if (situation.contactEmail === null) return withdraw('The instrument has no contact with an e-mail address.')
  if (situation.hasUnsubscribed) return { kind: 'withdraw', reason: 'Customer unsubscribed', closesEvent: true }
  return { kind: situation.isInMaintenance ? 'hold' : 'send' }
}

/** Reads the limits once per run; the caller counts the e-mails that it writes. */
export async function readAllowance(
  db: Db,
  { contactEmails, config, now }: { contactEmails: readonly string[]; config: Pick<Config, 'limits'>; now: Date },
): Promise<Allowance> {
  const limit = config.limits.supportEmailsPerContactAndHour
  if (limit === 0) return () => Number.POSITIVE_INFINITY
  const written = await countWritten(db, { contactEmails, since: new Date(now.getTime() - HOUR_MS) })
  return (contactEmail) => Math.max(0, limit - (written.get(contactEmail) ?? 0))
}

/** An event with the decision about its contact, as of now. */
export interface DecidedSubject {
  subject: MailSubject
  verdict: Verdict
}

/**
 * Decides about these events, by id. Leaves out events without a contact e-mail, such as edge issues. `isNew`: a
 * maintenance at the time of the event counts as well; for held e-mails, only a current one does.
 */
export async function decideSubjects(
  trx: Trx,
  { eventIds, now, isNew }: { eventIds: readonly number[]; now: Date; isNew: boolean },
): Promise<DecidedSubject[]> {
  const isSwitchedOn = await featureIsOnForDeployment(trx, 'AUTO_EMAIL')
  // Most events have no template, and a flood of them must stay cheap.
  if (isNew && !isSwitchedOn) return []
  const all = await readMailSubjects(trx, eventIds)
  const subjects = isNew ? all.filter(({ template }) => template !== null) : all
  if (subjects.length === 0) return []
  const sendsUnderReview = await featureIsOnForDeployment(trx, 'NOTIFY_UNDER_REVIEW')
  const hasUnsubscribed = await readUnsubscribed(trx, { warnings: subjects.flatMap(warningOf), now })
  const instrumentIds = [...new Set(subjects.map(({ instrumentId }) => instrumentId))]
  const inMaintenance = await instrumentsInMaintenance(trx, { instrumentIds, now })
  return subjects.map((subject) => {
    const verdict = decideMail({
      isSwitchedOn,
      sendsUnderReview,
      template: subject.template,
      isClosed: subject.isClosed,
      contactEmail: subject.contactEmail,
      hasUnsubscribed: warningOf(subject).some(hasUnsubscribed),
      isInMaintenance: inMaintenance.has(subject.instrumentId) || (isNew && subject.happenedInMaintenance),
    })
    return { subject, verdict }
  })
}

function warningOf({ contactEmail, instrumentId, facts }: MailSubject) {
  return contactEmail === null ? [] : [{ contactEmail, instrumentId, templateId: facts.templateId }]
}
