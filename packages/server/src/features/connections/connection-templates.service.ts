import type { ConnectionTemplate, ConnectionTemplateInput } from '@benchwatch/contract/instruments/connections'
import { connectionPlaceholders } from '@benchwatch/contract/messages/placeholders'
import { type ConnectionEventKind, connectionEventKinds, type FeatureKey } from '@benchwatch/contract/vocabulary'
import type { DataScope, UserActor } from '../../db/actor.ts'
import { recordAudit } from '../../db/audit.ts'
import { changedProperties } from '../../db/changed-properties.ts'
import type { Db } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import { contentTag, requireUnchanged } from '../../platform/http/etag.ts'
import { requirePlaceholders } from '../../platform/message-text.ts'
import type { FeatureContext } from '../context.ts'
import { featureIsOnForDeployment } from '../users/users.lookup.ts'
import { builtInTemplates, EVENT_AFTER_MS, placeholderValues } from './connection-rules.ts'
import {
  deleteTemplate,
  type ExampleOfLost,
  lockTemplates,
  readExamples,
  readTemplates,
  writeTemplate,
} from './connection-templates.store.ts'

type Rules = Pick<FeatureContext, 'db' | 'clock'>

/** The flag that turns lost connections of each kind into events. */
const raisingFlags: Record<ConnectionEventKind, FeatureKey> = {
  EDGE_ISSUE: 'EDGE_ISSUE_EVENT_CREATION',
  OFFLINE: 'INSTRUMENT_OFFLINE_EVENT_CREATION',
}

/** Used while no gateway or instrument is registered; each name begins with "Example". */
const invented: Record<ConnectionEventKind, ExampleOfLost> = {
  EDGE_ISSUE: { gatewayName: 'Example gateway', installedProductId: 'IP-00000000', instrument: null },
  OFFLINE: {
    gatewayName: 'Example gateway',
    installedProductId: 'IP-00000000',
    instrument: { name: 'Example instrument' },
  },
}

export async function listTemplates(
  db: Db,
  scope: DataScope,
): Promise<{ used: boolean; values: ConnectionTemplate[] }> {
  const own = await readTemplates(db)
  const examples = await readExamples(db, scope)
  const values: ConnectionTemplate[] = []
  for (const kind of connectionEventKinds) {
    const template = own.get(kind)
    const example = examples[kind]
    const input = inputOf(template ?? builtInTemplates[kind])
    values.push({
      kind,
      ...input,
      builtIn: template === undefined,
      etag: contentTag(input),
      updatedAt: template?.updatedAt?.toISOString() ?? null,
      updatedBy: template?.updatedBy ?? null,
      raised: await featureIsOnForDeployment(db, raisingFlags[kind]),
      placeholders: connectionPlaceholders[kind].map(({ name }) => name),
      example: {
        values: placeholderValues(example ?? invented[kind], EVENT_AFTER_MS),
        invented: example === undefined,
      },
    })
  }
  return { used: await featureIsOnForDeployment(db, 'INSTRUMENT_STATUS_TEMPLATE'), values }
}

/**
 * Replaces the texts of a kind and records the differences in the audit log. Texts that are already in force,
 * including built-in ones, stay as they are. Throws unknown-placeholder, version-mismatch.
 */
export async function putTemplate(
  { db, clock }: Rules,
  {
    kind,
    input,
    ifMatch,
    caller,
  }: { kind: ConnectionEventKind; input: ConnectionTemplateInput; ifMatch?: string | undefined; caller: UserActor },
): Promise<ConnectionTemplate> {
  const { description, userMessage } = input
  requirePlaceholders({ description, userMessage: userMessage ?? '' }, connectionPlaceholders[kind])
  await inTransaction(db, async (trx) => {
    await lockTemplates(trx)
    const at = clock.now()
    const before = inputOf((await readTemplates(trx)).get(kind) ?? builtInTemplates[kind])
    requireUnchanged(ifMatch, contentTag(before))
    const entries = changedProperties(before, inputOf(input))
    if (entries.length === 0) return
    await writeTemplate(trx, { kind, input, by: caller.name, at })
    await recordAudit(trx, { entityType: 'connection_template', entityId: kind, actor: caller, at }, entries)
  })
  const { values } = await listTemplates(db, caller.scope)
  return values.find((template) => template.kind === kind) as ConnectionTemplate
}

/** Returns to the built-in texts and records the previous ones in the audit log. */
export async function resetTemplate(
  { db, clock }: Rules,
  { kind, caller }: { kind: ConnectionEventKind; caller: UserActor },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockTemplates(trx)
    const before = (await readTemplates(trx)).get(kind)
    if (!before) return
    await deleteTemplate(trx, kind)
    const subject = { entityType: 'connection_template', entityId: kind, actor: caller, at: clock.now() } as const
    await recordAudit(trx, subject, [{ action: 'deleted', oldValue: JSON.stringify(inputOf(before)) }])
  })
}

function inputOf({ severity, description, userMessage }: ConnectionTemplateInput): ConnectionTemplateInput {
  return { severity, description, userMessage }
}
