import type { View } from '@benchwatch/contract/views'
import { ActionIcon, Badge, Group, Text, TextInput, UnstyledButton } from '@mantine/core'
import { IconPencil, IconStar, IconStarFilled } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { folded } from '../../lib/folded.ts'
import scroll from '../../ui/list/scroll-edges.module.css'
import { SkeletonLine } from '../../ui/text/skeleton.tsx'
import type { Preset } from './list-state.ts'
import styles from './view-menu.module.css'

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
            <ApplyButton
              name={view.name}
              isShown={view.id === shownId}
              mark={
                view.isOwn &&
                view.shared && (
                  <Badge variant="light" color="gray" size="sm" flex="none">
                    shared
                  </Badge>
                )
              }
              onApply={() => props.onApply(view)}
            >
              {!view.isOwn && (
                <>
                  <bdi>{view.ownerName}</bdi> ·{' '}
                </>
              )}
              {describe(view)}
            </ApplyButton>
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

/** Views that come with the product. */
export function PresetList(props: {
  presets: readonly Preset[]
  shownId: string | null
  describe: (preset: Preset) => string
  onApply: (preset: Preset) => void
}) {
  const { presets, shownId } = props
  return (
    <ul className={styles.views} aria-label="Built-in views">
      {presets.map((preset) => (
        <Group
          key={preset.id}
          component="li"
          gap={0}
          wrap="nowrap"
          className={styles.view}
          data-shown={preset.id === shownId || undefined}
        >
          <ApplyButton name={preset.name} isShown={preset.id === shownId} onApply={() => props.onApply(preset)}>
            {props.describe(preset)}
          </ApplyButton>
        </Group>
      ))}
    </ul>
  )
}

/** Name of a view above what it shows. */
function ApplyButton(props: {
  name: string
  isShown: boolean
  mark?: ReactNode
  onApply: () => void
  children: ReactNode
}) {
  return (
    <UnstyledButton
      flex={1}
      miw={0}
      p="5px 4px 6px 8px"
      aria-current={props.isShown || undefined}
      onClick={props.onApply}
    >
      <Group component="span" gap={6} wrap="nowrap">
        <Text component="bdi" fw={570} truncate>
          {props.name}
        </Text>
        {props.mark}
      </Group>
      <Text span display="block" size="xs" c="dimmed" truncate>
        {props.children}
      </Text>
    </UnstyledButton>
  )
}
