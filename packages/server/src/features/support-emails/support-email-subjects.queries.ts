import { EMAIL } from '@benchwatch/contract/patterns'
import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { serviceEvents } from '../../db/scoped.ts'
import type { MailFacts, TemplateTexts } from './support-email-text.ts'

/** An event that the contact of its instrument may get an e-mail about, as of now. */
export interface MailSubject {
  facts: MailFacts
  instrumentId: number
  isClosed: boolean
  happenedInMaintenance: boolean
  /** Null if there is no template for its error. */
  template: (TemplateTexts & { closesEvent: boolean; isUnderReview: boolean }) | null
  /** Null if there is no contact with a single valid address. */
  contactEmail: string | null
}

const CLOSED = 3

/** Selects the facts that decide about and fill e-mails. No scope: the product itself is the reader. */
function mailSubjects(db: Db) {
  return (
    serviceEvents(db, 'all')
      .innerJoin('instrument as i', 'i.id', 'e.instrument_id')
      .innerJoin('customer as c', 'c.id', 'e.customer_id')
      .innerJoin('site as s', 's.id', 'e.site_id')
      .leftJoin('component as k', 'k.id', 'e.component_id')
      .leftJoin('support_email_template as t', (join) =>
        join.onRef('t.instrument_type', '=', 'i.type').onRef('t.template_id', '=', 'e.template_id'),
      )
      // If the instrument has moved since, its contact does not belong to the event's customer.
      .leftJoin('contact as p', (join) =>
        join.onRef('p.id', '=', 'i.contact_id').onRef('p.customer_id', '=', 'e.customer_id'),
      )
      .select([
        'e.id',
        'e.template_id',
        'e.description',
        'e.user_message',
        'e.log_generated_at',
        'e.alert_status',
        'e.during_maintenance',
        'i.id as instrument_id',
        'i.product_description',
        sql<string | null>`CASE WHEN i.customer_id = e.customer_id THEN i.system_name END`.as('system_name'),
        'i.installed_product_id',
        'c.name as customer',
        's.city',
        's.country',
        's.time_zone',
        'k.name as component',
        'p.key as contact_email',
        'p.name as contact_name',
        't.component_name',
        't.subject',
        't.body',
        't.troubleshooting',
        't.closes_event',
        't.under_review',
      ])
  )
}

/** Returns the events with these ids that concern instruments; unknown ids are left out. */
export async function readMailSubjects(db: Db, eventIds: readonly number[]): Promise<MailSubject[]> {
  if (eventIds.length === 0) return []
  const rows = await mailSubjects(db)
    .where(sql<boolean>`e.id = ANY(${[...eventIds]}::bigint[])`)
    .orderBy('e.id')
    .execute()
  return rows.map(subjectOf)
}

/** Returns the newest event of an error within the scope, for previews. */
export async function readNewestMailSubject(
  db: Db,
  { instrumentType, templateId, scope }: { instrumentType: string; templateId: string; scope: DataScope },
): Promise<MailSubject | undefined> {
  // Finds the newest event through its index alone; the other columns are read for this event only.
  const newest = await serviceEvents(db, scope)
    .innerJoin('instrument as i', 'i.id', 'e.instrument_id')
    .where('e.template_id', '=', templateId)
    .where('i.type', '=', instrumentType)
    .orderBy('e.created_at', 'desc')
    .orderBy('e.id', 'desc')
    .select('e.id')
    .limit(1)
    .executeTakeFirst()
  const [subject] = await readMailSubjects(db, newest ? [newest.id] : [])
  return subject
}

type SubjectRow = Awaited<ReturnType<ReturnType<typeof mailSubjects>['execute']>>[number]

function subjectOf(row: SubjectRow): MailSubject {
  return {
    instrumentId: row.instrument_id,
    isClosed: row.alert_status === CLOSED,
    happenedInMaintenance: row.during_maintenance,
    contactEmail: row.contact_email !== null && EMAIL.test(row.contact_email) ? row.contact_email : null,
    template:
      row.subject === null
        ? null
        : {
            subject: row.subject,
            body: row.body ?? '',
            troubleshooting: row.troubleshooting,
            closesEvent: row.closes_event ?? false,
            isUnderReview: row.under_review ?? false,
          },
    facts: {
      eventId: row.id,
      templateId: row.template_id,
      contactName: row.contact_name,
      productDescription: row.product_description,
      systemName: row.system_name,
      installedProductId: row.installed_product_id,
      componentName: row.component ?? row.component_name ?? '–',
      description: row.description,
      userMessage: row.user_message,
      customer: row.customer,
      city: row.city,
      country: row.country,
      logGeneratedAt: row.log_generated_at,
      timeZone: row.time_zone,
    },
  }
}
