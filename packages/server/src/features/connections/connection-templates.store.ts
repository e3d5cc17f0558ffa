import type { ConnectionTemplateInput } from '@benchwatch/contract/instruments/connections'
import type { ConnectionEventKind } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'
import type { DataScope } from '../../db/actor.ts'
import { takeAdvisoryLock } from '../../db/advisory-locks.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { inScope, instruments } from '../../db/scoped.ts'
import { severityCodes, severityWord } from '../../db/sql/severity.ts'

/** Example of what an event may be about: a gateway, and for an OFFLINE event an instrument behind it. */
export interface ExampleOfLost {
  gatewayName: string
  installedProductId: string
  instrument: { name: string } | null
}

/** Lets one transaction at a time write the texts, until it ends, so that the audit chain of the texts cannot fork. */
export async function lockTemplates(trx: Trx): Promise<void> {
  await takeAdvisoryLock(trx, 'connectionTemplates')
}

/** Edited texts that replace the built-in ones. */
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

/** Returns the first registered gateway and instrument in scope; undefined if there is none yet. */
export async function readExamples(
  db: Db,
  scope: DataScope,
): Promise<Record<ConnectionEventKind, ExampleOfLost | undefined>> {
  const gateway = await db
    .selectFrom('gateway as g')
    .innerJoin('site as s', 's.id', 'g.site_id')
    .where(inScope(scope, sql.ref('s.customer_id')))
    .orderBy('g.id')
    .select(['g.name as gatewayName', 'g.installed_product_id as installedProductId'])
    .executeTakeFirst()
  const behind = await instruments(db, scope)
    .innerJoin('gateway as g', 'g.id', 'i.gateway_id')
    .orderBy('i.id')
    .select(['g.name as gatewayName', 'i.installed_product_id as installedProductId', 'i.product_description as name'])
    .executeTakeFirst()
  return {
    EDGE_ISSUE: gateway && { ...gateway, instrument: null },
    OFFLINE: behind && { ...behind, instrument: { name: behind.name } },
  }
}
