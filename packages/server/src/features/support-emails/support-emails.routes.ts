import * as contract from '@benchwatch/contract/support-emails'
import type { FastifyInstance } from 'fastify'
import type { FeatureContext } from '../context.ts'
import { noSuchInstrument } from '../no-such-instrument.ts'
import { featureIsOnForDeployment } from '../users/users.lookup.ts'
import { previewSupportEmail } from './support-email-preview.ts'
import { listTemplates } from './support-email-templates.queries.ts'
import {
  getTemplate,
  putTemplate,
  removeTemplate,
  templateNameOf,
  usableInput,
} from './support-email-templates.service.ts'
import { readAutomaticEmailSubject, readSupportEmails } from './support-emails.queries.ts'

export function registerSupportEmailRoutes(app: FastifyInstance, context: FeatureContext): void {
  const { bind, db, clock, config } = context
  const tellsUnderReview = () => featureIsOnForDeployment(db, 'NOTIFY_UNDER_REVIEW')

  bind(app, contract.listSupportEmails, async ({ caller, query }) => {
    const emails = await readSupportEmails(db, {
      installedProductId: query.instrumentIpid,
      type: query.instrumentType,
      scope: caller.scope,
      now: clock.now(),
      tellsUnderReview: await tellsUnderReview(),
    })
    if (!emails) throw noSuchInstrument()
    return emails
  })

  bind(app, contract.getAutomaticEmailSubject, async ({ query: { instrumentType, eisCode, errorCode } }) => {
    const templateId = `${eisCode}-${errorCode}`
    const wanted = { instrumentType, templateId, tellsUnderReview: await tellsUnderReview() }
    return { subject: await readAutomaticEmailSubject(db, wanted) }
  })

  bind(app, contract.listSupportEmailTemplates, ({ query: { underReview: isUnderReview, ...query } }) =>
    listTemplates(db, { ...query, isUnderReview }),
  )

  bind(app, contract.getSupportEmailTemplate, ({ params }) => getTemplate(db, params['*']))

  bind(app, contract.putSupportEmailTemplate, async ({ params, body: input, caller, reply }) => {
    const { template, isNew } = await putTemplate(context, { key: params['*'], input, caller })
    reply.code(isNew ? 201 : 200)
    return template
  })

  bind(app, contract.deleteSupportEmailTemplate, async ({ params, caller }) => {
    await removeTemplate(context, { key: params['*'], caller })
  })

  bind(app, contract.previewSupportEmailTemplate, ({ body: { key, ...input } }) =>
    previewSupportEmail(db, {
      name: templateNameOf(key),
      input: usableInput(input),
      at: clock.now(),
      brand: config,
    }),
  )
}
