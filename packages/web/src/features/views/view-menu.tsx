import type { View, ViewState } from '@benchwatch/contract/events/views'
import { Badge, Group, Text } from '@mantine/core'
import { IconBookmark } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { Dropdown } from '../../ui/overlay/dropdown.tsx'
import { Chevron } from '../../ui/text/chevron.tsx'
import { appliedView, lastAppliedView, rememberAppliedView } from './applied-view.ts'
import { type Preset, presetsFor, type ViewedList } from './list-state.ts'
import styles from './view-menu.module.css'
import { viewsQuery } from './views.api.ts'

// Most visits never open it.
const loadPanel = () => import('./view-panel.tsx')
const ViewPanel = lazy(() => loadPanel().then((file) => ({ default: file.ViewPanel })))

/**
 * Menu of a list's saved views: a button with the name of the current view. Place it among the tools of the list's
 * header:
 *
 *     <ViewMenu list={eventViews(people)} state={viewOfSearch(search, now)}
 *               onApply={(state) => onSearch(searchOfView(state, search, now))} />
 *
 * `state` is the list as in the address; `onApply` writes the whole address.
 */
export function ViewMenu(props: { list: ViewedList; state: ViewState; onApply: (state: ViewState) => void }) {
  const { list, state } = props
  const { data = [] } = useQuery(viewsQuery())
  const views = data.filter(({ area }) => area === list.area)
  const presets = presetsFor(list, state)
  const applied = appliedView<View | Preset>([...views, ...presets], {
    list,
    state,
    lastId: lastAppliedView(list.area),
  })
  const label = applied === null ? 'Views' : `View: ${applied.view.name}${applied.isChanged ? ' changed' : ''}`

  function apply(id: string | null, next: ViewState) {
    rememberAppliedView(list.area, id)
    props.onApply(next)
  }

  return (
    <Dropdown
      title="Views"
      label={label}
      tooltip={applied === null ? undefined : label}
      icon={<IconBookmark size={15} stroke={1.7} aria-hidden="true" />}
      mark={<Chevron to="down" />}
      width={340}
      isIconOnPhone
      className={applied === null ? undefined : styles.applied}
      preload={loadPanel}
      panel={(close) => (
        <ViewPanel
          list={list}
          state={state}
          applied={applied}
          presets={presets}
          onApply={({ id, state: stored }) => {
            close()
            apply(id, list.read(stored))
          }}
          onReset={() => {
            close()
            apply(null, list.usual)
          }}
          onClose={close}
        />
      )}
    >
      {applied === null ? (
        'Views'
      ) : (
        <Group component="span" gap={5} wrap="nowrap">
          <span className={styles.word}>View:</span>{' '}
          <Text component="bdi" inherit truncate className={styles.name}>
            {applied.view.name}
          </Text>{' '}
          {applied.isChanged && (
            <Badge size="sm" color="var(--bw-medium)" variant="light" className={styles.changed}>
              changed
            </Badge>
          )}
        </Group>
      )}
    </Dropdown>
  )
}
