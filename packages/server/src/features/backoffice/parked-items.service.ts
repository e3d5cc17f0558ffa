import type { ParkedItem } from '@benchwatch/contract/backoffice'
import { DISCARDED } from '@benchwatch/contract/vocabulary'
import type { UserActor } from '../../db/actor.ts'
import { type AuditEntry, recordAudit } from '../../db/audit.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import { rowId } from '../../db/wire-id.ts'
import { problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { lockGateways } from '../ingest/inbox.store.ts'
import { storeBatches } from '../ingest/ingest.service.ts'
import { readItems } from '../ingest/read-items.ts'
import { findParkedItem, keepParked, resolveParkedItem } from './parked-items.store.ts'

interface Wanted {
  /** On the wire. */
  id: string
  /** JSON text in place of what was parked; absent to try that again. */
  mended: string | undefined
  caller: UserActor
}

/**
 * Reads and stores a parked item once more, as ingest does. It is resolved where it is taken now, or was taken meanwhile;
 * otherwise it stays parked as it came, with the reason of now. Recorded with what was changed in it. Throws not-found,
 * status-conflict for one that is resolved, and malformed-json.
 */
export async function retryParkedItem(
  { intake, clock }: Pick<FeatureContext, 'intake' | 'clock'>,
  { id, mended, caller }: Wanted,
): Promise<ParkedItem> {
  return inTransaction(intake, async (trx) => {
    const now = clock.now()
    const { item, gatewayId } = await lockOpenItem(trx, { id, caller, now })
    const [answer] = await storeBatches(trx, {
      batches: [
        {
          gateway: { type: 'gateway', id: gatewayId, name: item.gateway },
          items: readItems([parsed(mended ?? item.item)]),
          origin: 'retry',
        },
      ],
      now,
    })
    const refusal = answer?.rejected[0]
    if (refusal) await keepParked(trx, { id: Number(item.id), code: refusal.code, reason: refusal.reason })
    else await resolveParkedItem(trx, { id: Number(item.id), at: now })
    const outcome = refusal?.code ?? 'resolved'
    const entries: AuditEntry[] = [
      { action: 'retry', property: `parkedItem ${item.id}`, oldValue: item.code, newValue: outcome },
    ]
    if (mended !== undefined && mended !== item.item) {
      entries.push({ action: 'mend', property: `parkedItem ${item.id}`, oldValue: item.item, newValue: mended })
    }
    await recordAudit(trx, { entityType: 'gateway', entityId: item.gateway, actor: caller, at: now }, entries)
    return (await find(trx, { id, caller })).item
  })
}

/**
 * Resolves a parked item without taking it in. The record has why, and why it was parked. Throws not-found, and
 * status-conflict for one that is resolved.
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

/** Finds an item that is not resolved. Batches of its gateway and other changes of the item wait until the transaction ends. */
async function lockOpenItem(trx: Trx, { id, caller, now }: Pick<Wanted, 'id' | 'caller'> & { now: Date }) {
  const { gatewayId } = await find(trx, { id, caller })
  await lockGateways(trx, { ids: [gatewayId], seenIds: new Set(), now })
  const found = await find(trx, { id, caller })
  if (found.item.resolvedAt !== null)
    throw problem('status-conflict', 'This item is resolved already. Reload the list.')
  return found
}

async function find(db: Db, { id, caller }: Pick<Wanted, 'id' | 'caller'>) {
  const row = rowId(id)
  const found = row === undefined ? undefined : await findParkedItem(db, { id: row, scope: caller.scope })
  if (!found) throw problem('not-found', 'There is no such parked item. Reload the list.')
  return found
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw problem('malformed-json', 'The item is not valid JSON. Mend it and try again.')
  }
}
