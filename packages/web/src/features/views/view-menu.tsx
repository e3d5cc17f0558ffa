import type { ViewState } from '@benchwatch/contract/views'
import { Button, Popover } from '@mantine/core'
import { IconBookmark, IconChevronDown } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { appliedView, lastAppliedView, rememberAppliedView } from './applied-view.ts'
import styles from './view-menu.module.css'
import type { ViewedList } from './viewed-list.ts'
import { viewsQuery } from './views.api.ts'

// Most visits never open it.
const ViewPanel = lazy(() => import('./view-panel.tsx').then((file) => ({ default: file.ViewPanel })))

/**
 * The saved views of a list: a button that names the view shown, and what can be done with views below it. It stands
 * among the tools of the list's header:
 *
 *     <ViewMenu list={eventViews} state={viewOfSearch(search, now)}
 *               onApply={(state) => onSearch(searchOfView(state, search, now))} />
 *
 * `state` is the list as the address has it now; `onApply` writes the whole address.
 */
export function ViewMenu(props: { list: ViewedList; state: ViewState; onApply: (state: ViewState) => void }) {
  const { list, state } = props
  const [isOpen, setOpen] = useState(false)
  const { data = [] } = useQuery(viewsQuery())
  const views = data.filter(({ area }) => area === list.area)
  const applied = appliedView(views, { list, state, lastId: lastAppliedView(list.area) })
  const label = applied === null ? 'Views' : `View: ${applied.view.name}${applied.isChanged ? ', changed' : ''}`

  function apply(id: string | null, next: ViewState) {
    rememberAppliedView(list.area, id)
    setOpen(false)
    props.onApply(next)
  }

  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus returnFocus withinPortal width={340}>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconBookmark size={15} stroke={1.7} aria-hidden="true" />}
          rightSection={<IconChevronDown size={14} stroke={1.8} aria-hidden="true" />}
          aria-label={label}
          title={applied === null ? undefined : label}
          onClick={() => setOpen(!isOpen)}
        >
          {applied === null ? (
            'Views'
          ) : (
            <span className={styles.shown}>
              <span>View:</span>
              <bdi className={styles.name}>{applied.view.name}</bdi>
              {applied.isChanged && <span className={styles.changed}>changed</span>}
            </span>
          )}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Views">
        {isOpen && (
          <Suspense fallback={<div className={styles.loading} role="status" aria-label="Loading views" />}>
            <ViewPanel
              list={list}
              state={state}
              applied={applied}
              onApply={({ id, state: stored }) => apply(id, list.read(stored))}
              onReset={() => apply(null, list.usual)}
              onClose={() => setOpen(false)}
            />
          </Suspense>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
