import type { LogType } from '@benchwatch/contract/vocabulary'
import type { DataScope } from '../../db/actor.ts'
import type { Trx } from '../../db/connect.ts'
import { logEntries } from '../../db/scoped.ts'

/** What the record keeps of a log line that is gone. */
export interface DeletedLine {
  instrument: string
  logType: LogType
  timestamp: Date
}

/** Takes out the log line with this wire id; undefined when the scope holds none. */
export async function deleteLine(
  trx: Trx,
  { id, scope }: { id: string; scope: DataScope },
): Promise<DeletedLine | undefined> {
  if (!/^\d{1,18}$/.test(id)) return undefined
  const line = await logEntries(trx, scope)
    .where('l.id', '=', Number(id))
    .select(['i.installed_product_id as instrument', 'l.log_type as logType', 'l.ts as timestamp'])
    .forUpdate('l')
    .executeTakeFirst()
  if (line) await trx.deleteFrom('log_entry').where('id', '=', Number(id)).execute()
  return line
}
