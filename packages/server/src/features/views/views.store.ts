import type { ViewInput } from '@benchwatch/contract/views'
import type { ViewArea } from '@benchwatch/contract/vocabulary'
import type { DataScope } from '../../db/actor.ts'
import type { Trx } from '../../db/connect.ts'

interface WrittenView extends Pick<ViewInput, 'name' | 'shared' | 'state'> {
  /** What their owner sees as the state is written. */
  scope: DataScope
  at: Date
}

/** Lets one transaction at a time change the views of a user, until it ends. */
export async function lockViewsOf(trx: Trx, userId: number): Promise<void> {
  await trx.selectFrom('app_user').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
}

/** The names that a user's views of an area have, as they are compared, by the view's id. */
export async function namesOf(
  trx: Trx,
  { userId, area }: { userId: number; area: ViewArea },
): Promise<Map<number, string>> {
  const rows = await trx
    .selectFrom('saved_view')
    .select(['id', 'name_key'])
    .where('user_id', '=', userId)
    .where('area', '=', area)
    .execute()
  return new Map(rows.map(({ id, name_key }) => [id, name_key]))
}

/** A name in one case: two views of a user whose names differ in case alone would be mistaken for each other. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}

/** Returns the id. */
export async function insertView(
  trx: Trx,
  { userId, area, written }: { userId: number; area: ViewArea; written: WrittenView },
): Promise<number> {
  const { id } = await trx
    .insertInto('saved_view')
    .values({
      user_id: userId,
      area,
      name: written.name,
      name_key: nameKey(written.name),
      shared: written.shared,
      ...stateColumns(written),
      created_at: written.at,
      updated_at: written.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** `isNewState`: an unchanged state still stands for what its owner saw when it was written. */
export async function replaceView(
  trx: Trx,
  { id, written, isNewState }: { id: number; written: WrittenView; isNewState: boolean },
): Promise<void> {
  await trx
    .updateTable('saved_view')
    .set({
      name: written.name,
      name_key: nameKey(written.name),
      shared: written.shared,
      updated_at: written.at,
      ...(isNewState && stateColumns(written)),
    })
    .where('id', '=', id)
    .execute()
}

function stateColumns({ state, scope }: WrittenView) {
  return { state: JSON.stringify(state), customer_ids: scope === 'all' ? null : [...scope] }
}

export async function deleteView(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('saved_view').where('id', '=', id).execute()
}

/** Makes a view the one that the user's list opens with, or not any more; another default stays then. */
export async function setDefault(
  trx: Trx,
  { userId, area, viewId, isDefault }: { userId: number; area: ViewArea; viewId: number; isDefault: boolean },
): Promise<void> {
  if (isDefault) {
    await trx
      .insertInto('default_view')
      .values({ user_id: userId, area, view_id: viewId })
      .onConflict((conflict) => conflict.columns(['user_id', 'area']).doUpdateSet({ view_id: viewId }))
      .execute()
    return
  }
  await trx.deleteFrom('default_view').where('user_id', '=', userId).where('view_id', '=', viewId).execute()
}

/** A view that is withdrawn opens nobody else's list again, not even once it is shared anew. */
export async function forgetDefaultsOfOthers(
  trx: Trx,
  { viewId, ownerId }: { viewId: number; ownerId: number },
): Promise<void> {
  await trx.deleteFrom('default_view').where('view_id', '=', viewId).where('user_id', '<>', ownerId).execute()
}
