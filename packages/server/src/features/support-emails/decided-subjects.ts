import type { Trx } from '../../db/connect.ts'
import { instrumentsInMaintenance } from '../maintenance/maintenance.lookup.ts'
import { readUnsubscribed } from '../unsubscribe/unsubscribe.store.ts'
import { featureIsOnForDeployment } from '../users/users.lookup.ts'
import { decideMail, type Verdict } from './mail-decision.ts'
import { type MailSubject, readMailSubjects } from './support-email-subjects.queries.ts'

/** An event with whether its contact is mailed, as everything stands now. */
export interface DecidedSubject {
  subject: MailSubject
  verdict: Verdict
}

/**
 * Decides about these events, by id. Events that can't be mailed about, such as edge issues, are left out. `isNew`: whether
 * the event happened in a maintenance counts as well; once it was held, only whether one is on now.
 */
export async function decideSubjects(
  trx: Trx,
  { eventIds, now, isNew }: { eventIds: readonly number[]; now: Date; isNew: boolean },
): Promise<DecidedSubject[]> {
  const isSwitchedOn = await featureIsOnForDeployment(trx, 'AUTO_EMAIL')
  // Most events have no template, and a storm of them is to cost little.
  if (isNew && !isSwitchedOn) return []
  const all = await readMailSubjects(trx, eventIds)
  const subjects = isNew ? all.filter(({ template }) => template !== null) : all
  if (subjects.length === 0) return []
  const tellsUnderReview = await featureIsOnForDeployment(trx, 'NOTIFY_UNDER_REVIEW')
  const hasUnsubscribed = await readUnsubscribed(trx, { warnings: subjects.flatMap(warningOf), now })
  const instrumentIds = [...new Set(subjects.map(({ instrumentId }) => instrumentId))]
  const inMaintenance = await instrumentsInMaintenance(trx, { instrumentIds, now })
  return subjects.map((subject) => {
    const verdict = decideMail({
      isSwitchedOn,
      tellsUnderReview,
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
