import type { SupportEmailTemplateInput } from '@benchwatch/contract/messages/support-emails'
import * as contract from '@benchwatch/contract/messages/support-emails'
import type { FastifyInstance } from 'fastify'
import type { DataScope } from '../../db/actor.ts'
import type { Db } from '../../db/connect.ts'
import { readInstrumentTypes } from '../../db/instrument-type.ts'
import type { FeatureContext } from '../context.ts'
import type { MailBrand, MailContent } from '../messages/mail-frame.ts'
import { noSuchInstrument } from '../no-such-instrument.ts'
import { featureIsOnForDeployment } from '../users/users.lookup.ts'
import { supportEmailMail } from './support-email-mails.ts'
import { readNewestMailSubject } from './support-email-subjects.queries.ts'
import {
  getTemplate,
  putTemplate,
  removeTemplate,
  templateNameOf,
  templateTag,
  usableInput,
} from './support-email-templates.service.ts'
import { listTemplates, type TemplateName } from './support-email-templates.store.ts'
import { fillTemplate, type MailFacts } from './support-email-text.ts'
import { readAutomaticEmailSubject, readSupportEmails } from './support-emails.queries.ts'

/** Placeholder in the unsubscribe link of a preview; not a valid token. */
const NO_TOKEN = 'preview'

interface Preview extends MailContent {
  /** Id of the event used for the preview; null for an invented one. */
  eventId: string | null
  to: string | null
}

export function registerSupportEmailRoutes(app: FastifyInstance, context: FeatureContext): void {
  const { bind, db, clock, config } = context
  const sendsUnderReview = () => featureIsOnForDeployment(db, 'NOTIFY_UNDER_REVIEW')

  bind(app, contract.listSupportEmails, async ({ caller, query }) => {
    const emails = await readSupportEmails(db, {
      installedProductId: query.instrumentIpid,
      type: query.instrumentType,
      scope: caller.scope,
      now: clock.now(),
      sendsUnderReview: await sendsUnderReview(),
    })
    if (!emails) throw noSuchInstrument()
    return emails
  })

  bind(app, contract.getAutomaticEmailSubject, async ({ query: { instrumentType, eisCode, errorCode } }) => {
    const templateId = `${eisCode}-${errorCode}`
    const error = { instrumentType, templateId, sendsUnderReview: await sendsUnderReview() }
    return { subject: await readAutomaticEmailSubject(db, error) }
  })

  bind(app, contract.listSupportEmailTemplates, ({ query }) => listTemplates(db, query))

  bind(app, contract.getSupportEmailTemplate, async ({ params, reply }) => {
    const template = await getTemplate(db, params['*'])
    reply.header('etag', templateTag(template))
    return template
  })

  bind(app, contract.putSupportEmailTemplate, async ({ params, body: input, caller, request, reply }) => {
    const ifMatch = request.headers['if-match']
    const { template, isNew } = await putTemplate(context, { key: params['*'], input, ifMatch, caller })
    reply.code(isNew ? 201 : 200).header('etag', templateTag(template))
    return template
  })

  bind(app, contract.deleteSupportEmailTemplate, ({ params, caller }) =>
    removeTemplate(context, { key: params['*'], caller }),
  )

  bind(app, contract.previewSupportEmailTemplate, ({ body: { key, ...input }, caller: { scope } }) =>
    previewSupportEmail(db, {
      name: templateNameOf(key),
      input: usableInput(input),
      scope,
      at: clock.now(),
      brand: config,
    }),
  )
}

/**
 * Returns the e-mail as it would be sent about the newest event of the error within the scope, else about an invented
 * one. Uses the same code as real e-mails, but queues nothing and creates no link.
 */
async function previewSupportEmail(
  db: Db,
  {
    name,
    input,
    scope,
    at,
    brand,
  }: { name: TemplateName; input: SupportEmailTemplateInput; scope: DataScope; at: Date; brand: MailBrand },
): Promise<Preview> {
  const newest = await readNewestMailSubject(db, { ...name, scope })
  const { types } = await readInstrumentTypes(db)
  const type = types.find(({ key }) => key === name.instrumentType)?.label ?? name.instrumentType
  const facts = newest?.facts ?? inventedFacts({ name, type, componentName: input.componentName, at })
  const mail = supportEmailMail({ facts, texts: fillTemplate(input, facts), token: NO_TOKEN }, brand)
  return { ...mail, eventId: newest ? String(facts.eventId) : null, to: newest?.contactEmail ?? null }
}

function inventedFacts({
  name,
  type,
  componentName,
  at,
}: {
  name: TemplateName
  /** Label of the instrument type. */
  type: string
  componentName: string
  at: Date
}): MailFacts {
  return {
    eventId: 0,
    templateId: name.templateId,
    contactName: 'Example Contact',
    productDescription: `Example ${type}`,
    systemName: 'EXAMPLE-01',
    installedProductId: 'IP-00000000',
    componentName,
    description: 'Example of what an event says',
    userMessage: 'Example of a message to the user',
    customer: 'Example Customer',
    city: 'Example City',
    country: 'Example Country',
    logGeneratedAt: at,
    timeZone: 'UTC',
  }
}
