import type { View } from '@benchwatch/contract/events/views'
import { ActionIcon, Badge, Button, Group, Text, TextInput, UnstyledButton } from '@mantine/core'
import { IconPencil, IconStar, IconStarFilled } from '@tabler/icons-react'
import { useState } from 'react'
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
export function PresetList(props: {
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
