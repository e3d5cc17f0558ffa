import { isDeepStrictEqual } from 'node:util'
import type { View, ViewInput } from '@benchwatch/contract/events/views'
import type { UserActor } from '../../db/actor.ts'
import type { Trx } from '../../db/connect.ts'
import { rowId } from '../../db/sql/wire-id.ts'
import { inTransaction } from '../../db/transaction.ts'
import { fieldProblem, type ProblemError, problem } from '../../platform/http/problem.ts'
import type { FeatureContext } from '../context.ts'
import { lockView } from './views.queries.ts'
import {
  deleteView,
  forgetDefaultsOfOthers,
  insertView,
  lockViewsOf,
  nameKey,
  namesOf,
  replaceView,
  setDefault,
} from './views.store.ts'

/** Changes of saved views. They are not written to the audit log, because views only change what a screen shows. */

type Changing = Pick<FeatureContext, 'db' | 'clock'>

/** More views than a user can keep track of; limits what one user can store. */
const MAX_VIEWS = 50

/** Throws view-name-taken, too-many-views. */
export async function createView(
  { db, clock }: Changing,
  { input, caller }: { input: ViewInput; caller: UserActor },
): Promise<View> {
  return inTransaction(db, async (trx) => {
    await lockViewsOf(trx, caller.id)
    const names = await namesOf(trx, { userId: caller.id, area: input.area })
    if (names.size >= MAX_VIEWS) {
      throw problem(
        'too-many-views',
        `You already have ${MAX_VIEWS} views. Delete one that you no longer need, then save again.`,
      )
    }
    refuseTakenName(input.name, [...names.values()])
    const written = { ...input, scope: caller.scope, at: clock.now() }
    const id = await insertView(trx, { userId: caller.id, area: input.area, written })
    if (input.isDefault) await setDefault(trx, { userId: caller.id, area: input.area, viewId: id, isDefault: true })
    return readBack(trx, { id, caller })
  })
}

/** On a colleague's view, only `isDefault` may differ. Throws not-found, not-own-view, view-name-taken. */
export async function updateView(
  { db, clock }: Changing,
  { id, input, caller }: { id: string; input: ViewInput; caller: UserActor },
): Promise<View> {
  return inTransaction(db, async (trx) => {
    await lockViewsOf(trx, caller.id)
    const { view, row } = await needView(trx, { id, caller })
    if (input.area !== view.area) throw staysInArea(view)
    if (view.isOwn) {
      const names = await namesOf(trx, { userId: caller.id, area: view.area })
      names.delete(row)
      refuseTakenName(input.name, [...names.values()])
      const isNewState = !isDeepStrictEqual(input.state, view.state)
      await replaceView(trx, { id: row, written: { ...input, scope: caller.scope, at: clock.now() }, isNewState })
      if (view.shared && !input.shared) await forgetDefaultsOfOthers(trx, { viewId: row, ownerId: caller.id })
    } else if (!differsInDefaultAlone(input, view)) {
      throw notOwnView(view, 'change')
    }
    await setDefault(trx, { userId: caller.id, area: view.area, viewId: row, isDefault: input.isDefault })
    return readBack(trx, { id: row, caller })
  })
}

/** Throws not-found, not-own-view. */
export async function removeView(
  { db }: Pick<Changing, 'db'>,
  { id, caller }: { id: string; caller: UserActor },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const { view, row } = await needView(trx, { id, caller })
    if (!view.isOwn) throw notOwnView(view, 'delete')
    await deleteView(trx, row)
  })
}

async function needView(trx: Trx, { id, caller }: { id: string; caller: UserActor }) {
  const row = rowId(id)
  const view = row === undefined ? undefined : await lockView(trx, { id: row, caller })
  if (row === undefined || view === undefined) {
    throw problem(
      'not-found',
      'There is no such view. It may have been deleted or is no longer shared. Reload the views.',
    )
  }
  return { row, view }
}

async function readBack(trx: Trx, { id, caller }: { id: number; caller: UserActor }): Promise<View> {
  const view = await lockView(trx, { id, caller })
  if (!view) throw new Error(`The view ${id} could not be read.`)
  return view
}

function refuseTakenName(name: string, taken: readonly string[]): void {
  if (taken.includes(nameKey(name)))
    throw fieldProblem('view-name-taken', 'body.name', 'You already have a view with this name. Choose another one.')
}

function differsInDefaultAlone({ name, shared, state }: ViewInput, view: View): boolean {
  return name === view.name && shared === view.shared && isDeepStrictEqual(state, view.state)
}

function notOwnView({ ownerName }: View, what: 'change' | 'delete'): ProblemError {
  return problem(
    'not-own-view',
    `Only ${ownerName} can ${what} this view. Save one of your own instead, or reload the views if it changed.`,
  )
}

function staysInArea({ area }: View): ProblemError {
  const sentence = `must be "${area}": a view cannot change its area.`
  return problem('validation-failed', `body.area: ${sentence}`, { errors: [{ path: 'body.area', message: sentence }] })
}
