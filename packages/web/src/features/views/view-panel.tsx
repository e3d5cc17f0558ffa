import '@mantine/core/styles/Divider.layer.css'
import type { View, ViewState } from '@benchwatch/contract/events/views'
import { limits } from '@benchwatch/contract/vocabulary'
import {
  ActionIcon,
  Badge,
  Button,
  Checkbox,
  Divider,
  Group,
  Stack,
  Text,
  TextInput,
  Title,
  UnstyledButton,
} from '@mantine/core'
import { IconPencil, IconStar, IconStarFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { folded, reasonOf } from '../../lib/folded.ts'
import { useRecordForm } from '../../ui/form/record-form.tsx'
import scroll from '../../ui/list/scroll-edges.module.css'
import { confirm } from '../../ui/overlay/confirm.tsx'
import { showFailure, showSuccess, type Toast } from '../../ui/overlay/toasts.ts'
import { Notice, RetryLine } from '../../ui/text/notice.tsx'
import { SkeletonLine } from '../../ui/text/skeleton.tsx'
import { type AppliedView, isSameState, rememberAppliedView } from './applied-view.ts'
import type { Preset, ViewedList } from './list-state.ts'
import styles from './view-menu.module.css'
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

/** Longer lists get a search box. */
const SEARCH_ABOVE = 5

/** Views to choose from, five visible at a time. `views` is undefined until they are read. */
function ViewList(props: {
  views: readonly View[] | undefined
  /** The view that the list shows unchanged. */
  shownId: string | null
  describe: (view: View) => string
  onApply: (view: View) => void
  onToggleDefault: (view: View) => void
  onEdit: (view: View) => void
}) {
  const { views, shownId, describe } = props
  const [search, setSearch] = useState('')
  if (views === undefined)
    return (
      <div role="status" aria-label="Loading views">
        <SkeletonLine />
      </div>
    )
  if (views.length === 0) return <Text c="dimmed">Set up the list, then save it as a view.</Text>
  const sought = folded(search.trim())
  const found = views.filter(({ name, ownerName }) => folded(`${name}\n${ownerName}`).includes(sought))
  return (
    <>
      {views.length > SEARCH_ABOVE && (
        <TextInput
          size="sm"
          placeholder="Search views"
          aria-label="Search views"
          data-autofocus
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      )}
      <ul className={`${scroll.edges} ${styles.views}`} aria-label="Views">
        {found.map((view) => (
          <Group
            key={view.id}
            component="li"
            gap={0}
            wrap="nowrap"
            className={styles.view}
            data-shown={view.id === shownId || undefined}
          >
            <UnstyledButton
              flex={1}
              miw={0}
              p="5px 4px 6px 8px"
              aria-current={view.id === shownId || undefined}
              onClick={() => props.onApply(view)}
            >
              <Group component="span" gap={6} wrap="nowrap">
                <Text component="bdi" fw={570} truncate>
                  {view.name}
                </Text>
                {view.isOwn && view.shared && (
                  <Badge variant="light" color="gray" size="sm" flex="none">
                    shared
                  </Badge>
                )}
              </Group>
              <Text span display="block" size="xs" c="dimmed" truncate>
                {!view.isOwn && (
                  <>
                    <bdi>{view.ownerName}</bdi> ·{' '}
                  </>
                )}
                {describe(view)}
              </Text>
            </UnstyledButton>
            {view.isOwn && (
              <ActionIcon
                size="var(--bw-control)"
                aria-label={`Edit view ${view.name}`}
                title="Edit"
                onClick={() => props.onEdit(view)}
              >
                <IconPencil size={15} stroke={1.7} aria-hidden="true" />
              </ActionIcon>
            )}
            <ActionIcon
              size="var(--bw-control)"
              color={view.isDefault ? 'var(--bw-low)' : undefined}
              aria-pressed={view.isDefault}
              aria-label={`Open the list with ${view.name}`}
              title={view.isDefault ? 'The list opens with this view' : 'Open the list with this view'}
              onClick={() => props.onToggleDefault(view)}
            >
              {view.isDefault ? (
                <IconStarFilled size={15} aria-hidden="true" />
              ) : (
                <IconStar size={15} stroke={1.7} aria-hidden="true" />
              )}
            </ActionIcon>
          </Group>
        ))}
      </ul>
      {found.length === 0 && <Text c="dimmed">No view matches “{search.trim()}”.</Text>}
    </>
  )
}

/** Views that come with the product, as a row of buttons. */
function PresetList(props: {
  presets: readonly Preset[]
  shownId: string | null
  describe: (preset: Preset) => string
  onApply: (preset: Preset) => void
}) {
  return (
    <Group component="ul" gap={6} m={0} p={0} style={{ listStyle: 'none' }} aria-label="Built-in views">
      {props.presets.map((preset) => {
        const isShown = preset.id === props.shownId
        return (
          <li key={preset.id}>
            <Button
              size="compact-sm"
              variant={isShown ? 'light' : 'default'}
              aria-current={isShown || undefined}
              title={props.describe(preset)}
              onClick={() => props.onApply(preset)}
            >
              {preset.name}
            </Button>
          </li>
        )
      })}
    </Group>
  )
}
