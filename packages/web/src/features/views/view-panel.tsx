import type { View, ViewState } from '@benchwatch/contract/views'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { confirm } from '../../ui/confirm-store.ts'
import { showFailure, showSuccess } from '../../ui/toasts.ts'
import { type AppliedView, isSameState, rememberAppliedView } from './applied-view.ts'
import { ViewForm, type ViewSettings } from './view-form.tsx'
import { ViewList } from './view-list.tsx'
import styles from './view-panel.module.css'
import { viewCreated, viewDefaultSet, viewDeleted, viewNotChanged, viewUpdated } from './view-toasts.ts'
import type { ViewedList } from './viewed-list.ts'
import { useViewChanges, viewsQuery } from './views.api.ts'

/** The inside of the menu of views: the views to choose from, or the form of a new or an own one. */
export function ViewPanel(props: {
  list: ViewedList
  state: ViewState
  applied: AppliedView | null
  onApply: (view: View) => void
  onReset: () => void
  onClose: () => void
}) {
  const { list, state, applied, onClose } = props
  // Read again whenever the menu opens: a colleague has just said that there is a new one.
  const { data, isError, refetch } = useQuery({ ...viewsQuery(), staleTime: 0 })
  const changes = useViewChanges()
  const [edited, setEdited] = useState<View | 'new' | null>(null)

  async function create(settings: ViewSettings) {
    const view = await changes.create({ area: list.area, ...settings, state })
    rememberAppliedView(list.area, view.id)
    showSuccess(viewCreated(view))
    onClose()
  }

  async function change(view: View, settings: ViewSettings) {
    showSuccess(viewUpdated(await changes.update({ view, change: settings })))
    setEdited(null)
  }

  /** What needs no form: a failure can only be told. */
  async function attempt(view: View, work: () => Promise<void>) {
    try {
      await work()
    } catch (error) {
      showFailure(viewNotChanged(view, error))
    }
  }

  function takeState(view: View) {
    void attempt(view, async () => {
      showSuccess(viewUpdated(await changes.update({ view, change: { state } })))
      onClose()
    })
  }

  function toggleDefault(view: View) {
    void attempt(view, async () =>
      showSuccess(viewDefaultSet(await changes.update({ view, change: { isDefault: !view.isDefault } }))),
    )
  }

  async function remove(view: View) {
    // Closed first: this panel and the question would both hold the focus.
    onClose()
    const message = view.shared
      ? `Delete the view “${view.name}”? Colleagues lose it, too.`
      : `Delete the view “${view.name}”?`
    if (!(await confirm({ message, confirmLabel: 'Delete view', isDestructive: true }))) return
    void attempt(view, async () => {
      await changes.remove(view)
      showSuccess(viewDeleted(view))
    })
  }

  if (edited === 'new') {
    return (
      <ViewForm
        title="Save as a new view"
        keeps={list.describe(state)}
        initial={{ name: '', shared: false, isDefault: false }}
        onSave={create}
        onBack={() => setEdited(null)}
      />
    )
  }
  if (edited !== null) {
    return (
      <ViewForm
        title="View"
        keeps={list.describe(list.read(edited.state))}
        initial={edited}
        onSave={(settings) => change(edited, settings)}
        onBack={() => setEdited(null)}
        onDelete={() => void remove(edited)}
      />
    )
  }
  return (
    <div className={styles.panel}>
      {isError && data === undefined ? (
        <p className={styles.none} role="alert">
          Could not get views.{' '}
          <Button variant="subtle" size="compact-sm" onClick={() => void refetch()}>
            Try again
          </Button>
        </p>
      ) : (
        <ViewList
          views={data?.filter(({ area }) => area === list.area)}
          shownId={applied !== null && !applied.isChanged ? applied.view.id : null}
          describe={(view) => list.describe(list.read(view.state))}
          onApply={props.onApply}
          onToggleDefault={toggleDefault}
          onEdit={setEdited}
        />
      )}
      <div className={styles.actions}>
        {applied?.isChanged === true && applied.view.isOwn && (
          <Button fullWidth loading={changes.isPending} onClick={() => takeState(applied.view)}>
            <span className={styles.cut}>
              Update “<bdi>{applied.view.name}</bdi>”
            </span>
          </Button>
        )}
        <Button variant="default" fullWidth onClick={() => setEdited('new')}>
          Save as…
        </Button>
        {!isSameState(state, list.usual) && (
          <Button variant="subtle" fullWidth onClick={props.onReset}>
            Reset to the usual list
          </Button>
        )}
      </div>
    </div>
  )
}
