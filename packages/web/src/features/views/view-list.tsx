import type { View } from '@benchwatch/contract/views'
import { TextInput } from '@mantine/core'
import { IconPencil, IconStar, IconStarFilled } from '@tabler/icons-react'
import { useState } from 'react'
import { folded } from '../../lib/folded.ts'
import scroll from '../../ui/list/scroll-edges.module.css'
import { SkeletonLine } from '../../ui/text/skeleton.tsx'
import styles from './view-panel.module.css'

/** Longer lists get a search box. */
const SEARCH_ABOVE = 5

/** Views to choose from, five visible at a time. `views` is undefined until they are read. */
export function ViewList(props: {
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
      <div className={styles.none} role="status" aria-label="Loading views">
        <SkeletonLine />
      </div>
    )
  if (views.length === 0) return <p className={styles.none}>Set up the list, then save it as a view.</p>
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
          <li key={view.id} className={styles.view} data-shown={view.id === shownId || undefined}>
            <button
              type="button"
              className={styles.apply}
              aria-current={view.id === shownId || undefined}
              onClick={() => props.onApply(view)}
            >
              <span className={styles.title}>
                <bdi className={styles.cut}>{view.name}</bdi>
                {view.isOwn && view.shared && <span className={styles.tag}>shared</span>}
              </span>
              <span className={styles.summary}>
                {!view.isOwn && (
                  <>
                    <bdi>{view.ownerName}</bdi> ·{' '}
                  </>
                )}
                {describe(view)}
              </span>
            </button>
            {view.isOwn && (
              <button
                type="button"
                className={styles.sign}
                aria-label={`Edit view ${view.name}`}
                title="Edit"
                onClick={() => props.onEdit(view)}
              >
                <IconPencil size={15} stroke={1.7} aria-hidden="true" />
              </button>
            )}
            <button
              type="button"
              className={styles.sign}
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
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className={styles.none}>No view matches “{search.trim()}”.</p>}
    </>
  )
}
