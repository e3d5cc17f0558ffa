import type { SupportEmailTemplateInput } from '@benchwatch/contract/support-emails'
import { instrumentTypeLabels } from '@benchwatch/contract/vocabulary'
import type { Db } from '../../db/connect.ts'
import type { MailBrand, MailContent } from '../messages/mail-frame.ts'
import { supportEmailMail } from './support-email-mails.ts'
import { readNewestMailSubject } from './support-email-subjects.queries.ts'
import type { TemplateName } from './support-email-templates.queries.ts'
import { fillTemplate, type MailFacts } from './support-email-text.ts'

/** Stands in the link to unsubscribe, and is no token. */
const NO_TOKEN = 'preview'

interface Preview extends MailContent {
  /** The event that it is about; null for an invented one. */
  eventId: string | null
  to: string | null
}

/**
 * The mail as it would go out about the newest event of the error, else about an invented one; made as mails are that go
 * out. Nothing is queued and no link is made.
 */
export async function previewSupportEmail(
  db: Db,
  { name, input, at, brand }: { name: TemplateName; input: SupportEmailTemplateInput; at: Date; brand: MailBrand },
): Promise<Preview> {
  const newest = await readNewestMailSubject(db, name)
  const facts = newest?.facts ?? inventedFacts({ name, componentName: input.componentName, at })
  const mail = supportEmailMail({ facts, texts: fillTemplate(input, facts), token: NO_TOKEN }, brand)
  return { ...mail, eventId: newest ? String(facts.eventId) : null, to: newest?.contactEmail ?? null }
}

function inventedFacts({
  name,
  componentName,
  at,
}: {
  name: TemplateName
  componentName: string
  at: Date
}): MailFacts {
  return {
    eventId: 0,
    templateId: name.templateId,
    contactName: 'Example Contact',
    productDescription: `Example ${instrumentTypeLabels[name.instrumentType]}`,
    systemName: 'EXAMPLE-01',
    installedProductId: 'IP-00000000',
    componentName,
    description: 'Example of what an event says',
    userMessage: 'Example of what it tells the user',
    customer: 'Example Customer',
    city: 'Example City',
    country: 'Example Country',
    logGeneratedAt: at,
    timeZone: 'UTC',
  }
}
