import type { ParkedItem } from '@benchwatch/contract/administration/backoffice'
import { DISCARDED } from '@benchwatch/contract/vocabulary'
import type { UserActor } from '../../db/actor.ts'
import { type AuditEntry, recordAudit } from '../../db/audit.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { rowId } from '../../db/sql/wire-id.ts'
import { inTransaction } from '../../db/transaction.ts'
import { problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { lockGateways } from '../ingest/inbox.store.ts'
import { refusalOf, storeBatches } from '../ingest/ingest.service.ts'
import { readItems } from '../ingest/read-items.ts'
import { findParkedItem, keepParked, resolveParkedItem } from './parked-items.store.ts'

interface RetryInput {
  /** Wire ID. */
  id: string
  /** JSON text that replaces the parked item; absent to retry the item unchanged. */
  replacement: string | undefined
  caller: UserActor
}

/**
 * Retries a parked item through the same code as ingest. It is resolved if it is accepted now or was accepted in the
 * meantime; otherwise it stays parked as received, with the new reason. The audit log shows what was changed in it.
 * Throws not-found, status-conflict for a resolved item, and malformed-json.
 */
export async function retryParkedItem(
  context: Pick<FeatureContext, 'intake' | 'clock'>,
  input: RetryInput,
): Promise<ParkedItem> {
  try {
    return await retry(context, input, null)
  } catch (error) {
    const reason = refusalOf(error)
    if (reason === null) throw error
    // The transaction is lost, so another one writes down the reason.
    return retry(context, input, { code: 'bad-item', reason })
  }
}

/** Stores the item again, unless it is known to be refused. */
async function retry(
  { intake, clock }: Pick<FeatureContext, 'intake' | 'clock'>,
  { id, replacement, caller }: RetryInput,
  refused: { code: string; reason: string } | null,
): Promise<ParkedItem> {
  return inTransaction(intake, async (trx) => {
    const now = clock.now()
    const { item, gatewayId } = await lockOpenItem(trx, { id, caller, now })
    const gateway = { type: 'gateway', id: gatewayId, name: item.gateway } as const
    const items = readItems([parsed(replacement ?? item.item)])
    const stored = () => storeBatches(trx, { batches: [{ gateway, items, origin: 'retry' }], now })
    const refusal = refused ?? (await stored())[0]?.rejected[0]
    if (refusal) await keepParked(trx, { id: Number(item.id), code: refusal.code, reason: refusal.reason })
    else await resolveParkedItem(trx, { id: Number(item.id), at: now })
    const outcome = refusal?.code ?? 'resolved'
    const entries: AuditEntry[] = [
      { action: 'retry', property: `parkedItem ${item.id}`, oldValue: item.code, newValue: outcome },
    ]
    if (replacement !== undefined && replacement !== item.item) {
      entries.push({ action: 'mend', property: `parkedItem ${item.id}`, oldValue: item.item, newValue: replacement })
    }
    await recordAudit(trx, { entityType: 'gateway', entityId: item.gateway, actor: caller, at: now }, entries)
    return (await find(trx, { id, caller })).item
  })
}

/**
 * Discards a parked item. The audit log keeps the reason, and the reason it was parked. Throws not-found, and
 * status-conflict for a resolved item.
 */
export async function discardParkedItem(
  { intake, clock }: Pick<FeatureContext, 'intake' | 'clock'>,
  { id, reason, caller }: { id: string; reason: string; caller: UserActor },
): Promise<void> {
  await inTransaction(intake, async (trx) => {
    const now = clock.now()
    const { item } = await lockOpenItem(trx, { id, caller, now })
    await keepParked(trx, { id: Number(item.id), code: DISCARDED, reason })
    await resolveParkedItem(trx, { id: Number(item.id), at: now })
    await recordAudit(trx, { entityType: 'gateway', entityId: item.gateway, actor: caller, at: now }, [
      {
        action: 'discard',
        property: `parkedItem ${item.id}`,
        oldValue: `${item.code}: ${item.reason}`,
        newValue: DISCARDED,
        reason,
      },
    ])
  })
}

/** Finds an unresolved item. Locks batches of its gateway and other changes of the item until the transaction ends. */
async function lockOpenItem(trx: Trx, { id, caller, now }: Pick<RetryInput, 'id' | 'caller'> & { now: Date }) {
  const { gatewayId } = await find(trx, { id, caller })
  await lockGateways(trx, { ids: [gatewayId], seenIds: new Set(), now })
  const found = await find(trx, { id, caller })
  if (found.item.resolvedAt !== null)
    throw problem('status-conflict', 'This item is already resolved. Reload the list.')
  return found
}

async function find(db: Db, { id, caller }: Pick<RetryInput, 'id' | 'caller'>) {
  const row = rowId(id)
  const found = row === undefined ? undefined : await findParkedItem(db, { id: row, scope: caller.scope })
  if (!found) throw problem('not-found', 'There is no such parked item. Reload the list.')
  return found
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw problem('malformed-json', 'The item is not valid JSON. Correct it and try again.')
  }
}
