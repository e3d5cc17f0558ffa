import type { ConnectionTemplateInput } from '@benchwatch/contract/connections'
import type { ConnectionEventKind } from '@benchwatch/contract/vocabulary'
import { takeAdvisoryLock } from '../../db/advisory-locks.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { severityCodes, severityWord } from '../../db/severity.ts'

/** Lets one transaction at a time write the texts, until it ends, so that chains of the record can't fork. */
export async function lockTemplates(trx: Trx): Promise<void> {
  await takeAdvisoryLock(trx, 'connectionTemplates')
}

/** Texts that somebody wrote in place of the built-in ones. */
export interface OwnTemplate extends ConnectionTemplateInput {
  updatedAt: Date | null
  updatedBy: string | null
}

export async function readTemplates(db: Db): Promise<Map<ConnectionEventKind, OwnTemplate>> {
  const rows = await db
    .selectFrom('connection_template')
    .select([
      'kind',
      'description',
      'user_message as userMessage',
      severityWord('severity').as('severity'),
      'updated_at as updatedAt',
      'updated_by as updatedBy',
    ])
    .execute()
  return new Map(rows.map(({ kind, ...template }) => [kind, template]))
}

export async function writeTemplate(
  trx: Trx,
  { kind, input, by, at }: { kind: ConnectionEventKind; input: ConnectionTemplateInput; by: string; at: Date },
): Promise<void> {
  const columns = {
    severity: severityCodes[input.severity],
    description: input.description,
    user_message: input.userMessage,
    updated_at: at,
    updated_by: by,
  }
  await trx
    .insertInto('connection_template')
    .values({ kind, ...columns })
    .onConflict((conflict) => conflict.column('kind').doUpdateSet(columns))
    .execute()
}

export async function deleteTemplate(trx: Trx, kind: ConnectionEventKind): Promise<void> {
  await trx.deleteFrom('connection_template').where('kind', '=', kind).execute()
}
