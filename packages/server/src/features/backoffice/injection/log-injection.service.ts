import { type LogForm, type LogWish, readLogForm } from '@benchwatch/contract/administration/backoffice-forms'
import type { UserActor } from '../../../db/actor.ts'
import { recordAudit } from '../../../db/audit.ts'
import type { Trx } from '../../../db/connect.ts'
import { inTransaction } from '../../../db/transaction.ts'
import { type ProblemError, problem } from '../../../platform/http/problem.ts'
import type { FeatureContext } from '../../context.ts'
import type { LockedInstrument } from '../../ingest/inbox.store.ts'
import { badForm } from '../bad-form.ts'
import { lockNamedInstrument } from '../instrument-state.store.ts'
import { findClientInstrument, insertLogLine, isCustomerName } from './log-injection.store.ts'

/**
 * Writes one line into a log of an instrument as its gateway would, and returns the line's ID. A client line that
 * names no instrument goes to the instrument linked to that computer. Throws not-found for an instrument or customer
 * outside the scope, and bad-log with an error per field.
 */
export async function injectLog(
  { db, clock }: Pick<FeatureContext, 'db' | 'clock'>,
  { form, caller }: { form: LogForm; caller: UserActor },
): Promise<string> {
  return inTransaction(db, async (trx) => {
    const { scope } = caller
    const installedProductId = String(form.instrumentInstalledProductId ?? '').trim()
    const named = await lockNamedInstrument(trx, { installedProductId, scope })
    const enterprise = String(form.enterprise ?? '').trim()
    if (enterprise !== '' && !(await isCustomerName(trx, { name: enterprise, scope }))) throw noSuchCustomer()
    const now = clock.now()
    const { value: input, errors } = readLogForm(form, { now })
    if (errors) throw badForm('bad-log', errors)
    const instrument = named ?? (await lockClientInstrument(trx, { input, caller }))
    const id = await insertLogLine(trx, { line: { ...input, instrumentId: instrument.id }, now })
    const { logType, message, timestamp } = input
    await recordAudit(trx, { entityType: 'instrument', entityId: String(instrument.id), actor: caller, at: now }, [
      {
        action: 'log-line-added',
        property: logType,
        reason: 'Back office',
        newValue: JSON.stringify({ id, timestamp: timestamp.toISOString(), message: message.slice(0, RECORDED) }),
      },
    ])
    return id
  })
}

/** Characters of a long message kept in the audit log; the full line is in the instrument's log. */
const RECORDED = 500

async function lockClientInstrument(
  trx: Trx,
  { input, caller }: { input: LogWish; caller: UserActor },
): Promise<LockedInstrument> {
  const { scope } = caller
  const client = { hostname: input.hostname ?? '', customer: input.enterprise ?? '', scope }
  const installedProductId = (await findClientInstrument(trx, client)) ?? ''
  const instrument = await lockNamedInstrument(trx, { installedProductId, scope })
  if (instrument) return instrument
  const message = `Host hostname is not a client PC of an instrument of ${client.customer}. Enter another one, or an installed product ID.`
  throw badForm('bad-log', [{ path: 'hostHostname', message }])
}

function noSuchCustomer(): ProblemError {
  return problem('not-found', 'Enterprise could not be found. Enter the name of a customer you have access to.')
}
