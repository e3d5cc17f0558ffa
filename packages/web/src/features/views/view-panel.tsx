import type { View, ViewState } from '@benchwatch/contract/events/views'
import { limits } from '@benchwatch/contract/vocabulary'
import { Button, Checkbox, Divider, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import '@mantine/core/styles/Divider.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { reasonOf } from '../../lib/folded.ts'
import { useRecordForm } from '../../ui/form/record-form.tsx'
import { confirm } from '../../ui/overlay/confirm.tsx'
import { showFailure, showSuccess, type Toast } from '../../ui/overlay/toasts.ts'
import { Notice, RetryLine } from '../../ui/text/notice.tsx'
import { type AppliedView, isSameState, rememberAppliedView } from './applied-view.ts'
import type { Preset, ViewedList } from './list-state.ts'
import { PresetList, ViewList } from './view-list.tsx'
import { useViewChanges, viewsQuery } from './views.api.ts'

/** Settings of a view apart from the list's state. */
type ViewSettings = Pick<View, 'name' | 'shared' | 'isDefault'>

/** Content of the view menu: the list of views, or the form of a new or own view. */
export function ViewPanel(props: {
  list: ViewedList
  state: ViewState
  applied: AppliedView | null
  presets: readonly Preset[]
  onApply: (view: View | Preset) => void
  onReset: () => void
  onClose: () => void
}) {
  const { list, state, applied, onClose } = props
  // Refetched whenever the menu opens: a colleague may just have added a view.
  const { data, isError, refetch } = useQuery({ ...viewsQuery(), staleTime: 0 })
  const changes = useViewChanges()
  const [edited, setEdited] = useState<View | 'new' | null>(null)

  async function create(settings: ViewSettings) {
    const view = await changes.create({ area: list.area, ...settings, state })
    rememberAppliedView(list.area, view.id)
    showSuccess({ title: `View “${view.name}” saved`, message: reach(view) })
    onClose()
  }

  async function change(view: View, settings: ViewSettings) {
    showSuccess(viewUpdated(await changes.update({ view, change: settings })))
    setEdited(null)
  }

  /** For actions without a form, whose failure can only be shown in a toast. */
  async function attempt(view: View, work: () => Promise<void>) {
    try {
      await work()
    } catch (error) {
      showFailure({ title: `Could not change view “${view.name}”`, message: reasonOf(error) })
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
    // Closed first: otherwise this panel and the confirmation would both trap the focus.
    onClose()
    const message = view.shared
      ? `Delete the view “${view.name}”? Colleagues will lose it, too.`
      : `Delete the view “${view.name}”?`
    if (!(await confirm({ message, confirmLabel: 'Delete view', isDestructive: true }))) return
    void attempt(view, async () => {
      await changes.remove(view)
      showSuccess({ title: `View “${view.name}” deleted` })
    })
  }

  if (edited === 'new') {
    return (
      <ViewForm
        title="Save as a new view"
        draft={`view of ${list.area}`}
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
        draft={`view ${edited.id}`}
        keeps={list.describe(list.read(edited.state))}
        initial={edited}
        onSave={(settings) => change(edited, settings)}
        onBack={() => setEdited(null)}
        onDelete={() => void remove(edited)}
      />
    )
  }
  const shownId = applied !== null && !applied.isChanged ? applied.view.id : null
  const changedView = applied?.isChanged === true && applied.view.isOwn ? applied.view : null
  const describe = (view: View | Preset) => list.describe(list.read(view.state))
  return (
    <Stack gap={10}>
      <PresetList presets={props.presets} shownId={shownId} describe={describe} onApply={props.onApply} />
      <Divider />
      {isError && data === undefined ? (
        <RetryLine onRetry={() => void refetch()}>Could not get views.</RetryLine>
      ) : (
        <ViewList
          views={data?.filter(({ area }) => area === list.area)}
          shownId={shownId}
          describe={describe}
          onApply={props.onApply}
          onToggleDefault={toggleDefault}
          onEdit={setEdited}
        />
      )}
      <Divider />
      <Stack gap={6}>
        {changedView !== null && (
          <Button fullWidth loading={changes.isPending} onClick={() => takeState(changedView)}>
            <Text span inherit truncate>
              Update “<bdi>{changedView.name}</bdi>”
            </Text>
          </Button>
        )}
        <Button variant="default" fullWidth onClick={() => setEdited('new')}>
          Save as…
        </Button>
        {!isSameState(state, list.usual) && (
          <Button variant="subtle" fullWidth onClick={props.onReset}>
            Reset to default list
          </Button>
        )}
      </Stack>
    </Stack>
  )
}

function viewUpdated(view: View): Toast {
  return { title: `View “${view.name}” updated`, message: reach(view) }
}

function viewDefaultSet({ name, isDefault }: Pick<View, 'name' | 'isDefault'>): Toast {
  return isDefault
    ? { title: `View “${name}” is your default`, message: 'The list opens with it.' }
    : { title: `View “${name}” is no longer your default`, message: 'The list opens as you left it.' }
}

function reach({ shared, isDefault }: View): string {
  const parts = [
    shared ? 'Shared with colleagues.' : 'Only you see it.',
    ...(isDefault ? ['The list opens with it.'] : []),
  ]
  return parts.join(' ')
}

/** Name, sharing and default of a view. `keeps` summarises its content. */
function ViewForm(props: {
  title: string
  /** Key of the draft, which is kept until it is saved or left by Back. */
  draft: string
  keeps: string
  initial: ViewSettings
  onSave: (settings: ViewSettings) => Promise<void>
  onBack: () => void
  onDelete?: () => void
}) {
  const { name, shared, isDefault } = props.initial
  const form = useRecordForm<ViewSettings>({
    record: { name, shared, isDefault },
    keep: props.draft,
    problemsOf: (values) => ({ ...(values.name.trim() === '' && { name: 'Give the view a name.' }) }),
    save: async (values) => {
      await props.onSave({ ...values, name: values.name.trim() })
      return values
    },
  })

  return (
    <form onSubmit={(event) => void form.submit(event)} noValidate>
      <Stack gap={10}>
        <Title order={2} fz={14}>
          {props.title}
        </Title>
        {form.failure !== null && <Notice tone="danger">{form.failure}</Notice>}
        <TextInput
          label="Name"
          data-autofocus
          autoFocus
          autoComplete="off"
          maxLength={limits.viewName}
          {...form.getInputProps('name')}
        />
        <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
          <Text span inherit c="dimmed">
            Saves
          </Text>{' '}
          {props.keeps}
        </Text>
        <Checkbox
          size="xs"
          label="Share with colleagues who see the same customers"
          {...form.getInputProps('shared', { type: 'checkbox' })}
        />
        <Checkbox
          size="xs"
          label="Open the list with this view"
          {...form.getInputProps('isDefault', { type: 'checkbox' })}
        />
        <Group justify="flex-end" gap={8} mt={2}>
          {props.onDelete !== undefined && (
            <Button variant="subtle" color="var(--bw-danger)" mr="auto" px={8} onClick={props.onDelete}>
              Delete…
            </Button>
          )}
          <Button
            variant="default"
            onClick={() => {
              form.discard()
              props.onBack()
            }}
          >
            Back
          </Button>
          <Button type="submit" loading={form.isSaving}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
