import type { ViewInput } from '@benchwatch/contract/events/views'
import type { ViewArea } from '@benchwatch/contract/vocabulary'
import type { DataScope } from '../../db/actor.ts'
import type { Trx } from '../../db/connect.ts'

interface WrittenView extends Pick<ViewInput, 'name' | 'shared' | 'state'> {
  /** The owner's scope when the state is written. */
  scope: DataScope
  at: Date
}

/** Allows one transaction at a time to change a user's views. */
export async function lockViewsOf(trx: Trx, userId: number): Promise<void> {
  await trx.selectFrom('app_user').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
}

/** Returns the folded names of a user's views of an area, by view id. */
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

/** Folds the case of a name, because views whose names differ only in case would be confused. */
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

/** `isNewState` is false if the state did not change; it then keeps the scope that its owner had when writing it. */
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

/** Makes a view the user's default for its list, or removes it as default; another default is not affected then. */
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

/** Removes a view that is no longer shared from other users' defaults, for good, even if it is shared again later. */
export async function forgetDefaultsOfOthers(
  trx: Trx,
  { viewId, ownerId }: { viewId: number; ownerId: number },
): Promise<void> {
  await trx.deleteFrom('default_view').where('view_id', '=', viewId).where('user_id', '<>', ownerId).execute()
}
