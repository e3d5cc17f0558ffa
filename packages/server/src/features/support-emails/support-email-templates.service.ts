import { supportEmailPlaceholders } from '@benchwatch/contract/messages/placeholders'
import type { SupportEmailTemplate, SupportEmailTemplateInput } from '@benchwatch/contract/messages/support-emails'
import type { UserActor } from '../../db/actor.ts'
import { recordAudit } from '../../db/audit.ts'
import { changedProperties } from '../../db/changed-properties.ts'
import type { Db } from '../../db/connect.ts'
import { readInstrumentTypes } from '../../db/instrument-type.ts'
import { inTransaction } from '../../db/transaction.ts'
import { contentTag, requireUnchanged } from '../../platform/http/etag.ts'
import { fieldProblem, type ProblemError, problem } from '../../platform/http/problem.ts'
import { requirePlaceholders } from '../../platform/message-text.ts'
import type { FeatureContext } from '../context.ts'
import { sanitiseHtml } from '../registry/sanitise-html.ts'
import {
  deleteTemplate,
  findTemplate,
  lockTemplates,
  type TemplateName,
  writeTemplate,
} from './support-email-templates.store.ts'

type Rules = Pick<FeatureContext, 'db' | 'clock'>

/** Parses `AKTAPure/P9B-1042`, already validated by the contract. */
export function templateNameOf(key: string): TemplateName {
  const [instrumentType = '', templateId = ''] = key.split('/')
  return { instrumentType, templateId }
}

export async function getTemplate(db: Db, key: string): Promise<SupportEmailTemplate> {
  const template = await findTemplate(db, templateNameOf(key))
  if (!template) throw noSuchTemplate(key)
  return template
}

/**
 * Creates or replaces a template and writes the audit log; an identical one stays as it is. Throws
 * unknown-placeholder, unknown-reference and version-mismatch.
 */
export async function putTemplate(
  { db, clock }: Rules,
  {
    key,
    input,
    ifMatch,
    caller,
  }: { key: string; input: SupportEmailTemplateInput; ifMatch?: string | undefined; caller: UserActor },
): Promise<{ template: SupportEmailTemplate; isNew: boolean }> {
  const name = templateNameOf(key)
  const usable = usableInput(input)
  return inTransaction(db, async (trx) => {
    await lockTemplates(trx)
    await requireType(trx, name)
    const at = clock.now()
    const before = await findTemplate(trx, name)
    requireUnchanged(ifMatch, before ? templateTag(before) : null)
    const entries = changedProperties(before && inputOf(before), usable)
    if (entries.length > 0) {
      await writeTemplate(trx, { name, input: usable, by: caller.name, at })
      await recordAudit(trx, { entityType: 'support_email_template', entityId: key, actor: caller, at }, entries)
    }
    return { template: await getTemplate(trx, key), isNew: before === undefined }
  })
}

async function requireType(db: Db, { instrumentType }: TemplateName): Promise<void> {
  const { types } = await readInstrumentTypes(db)
  if (types.some(({ key }) => key === instrumentType)) return
  throw fieldProblem(
    'unknown-reference',
    'params.*',
    `There is no instrument type "${instrumentType}". Register it first: PUT /api/registry/v1/instrument-types/${instrumentType}.`,
  )
}

/** Deletes a template and writes the audit log. Throws not-found. */
export async function removeTemplate(
  { db, clock }: Rules,
  { key, caller }: { key: string; caller: UserActor },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockTemplates(trx)
    const before = await getTemplate(trx, key)
    await deleteTemplate(trx, templateNameOf(key))
    const subject = { entityType: 'support_email_template', entityId: key, actor: caller, at: clock.now() } as const
    await recordAudit(trx, subject, [{ action: 'deleted', oldValue: JSON.stringify(inputOf(before)) }])
  })
}

/** Returns the template as stored, with sanitised HTML. Throws unknown-placeholder. */
export function usableInput(input: SupportEmailTemplateInput): SupportEmailTemplateInput {
  requirePlaceholders({ subject: input.subject, body: input.body }, supportEmailPlaceholders)
  const troubleshooting = input.troubleshooting === null ? null : sanitiseHtml(input.troubleshooting) || null
  return { ...input, troubleshooting }
}

/** Returns the ETag of what a PUT replaces of a template. */
export function templateTag(template: SupportEmailTemplate): string {
  return contentTag(inputOf(template))
}

function inputOf(template: SupportEmailTemplate): SupportEmailTemplateInput {
  const { componentName, subject, body, troubleshooting, closesEvent, underReview } = template
  return { componentName, subject, body, troubleshooting, closesEvent, underReview }
}

function noSuchTemplate(key: string): ProblemError {
  return problem('not-found', `There is no support e-mail template ${key}. It may have been deleted.`)
}
