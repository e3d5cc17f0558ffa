import { Kbd, TextInput } from '@mantine/core'
import '@mantine/core/styles/Kbd.layer.css'
import { IconSearch } from '@tabler/icons-react'
import type { Ref } from 'react'
import { useDelayedEdit } from '../../form/use-delayed-edit.ts'

/** A debounced search box. Enter sends at once, Escape clears. `shortcut` is shown as its key. */
export function SearchBox(props: {
  label: string
  keyword: string
  maxLength: number
  onChange: (keyword: string) => void
  shortcut?: string
  inputRef?: Ref<HTMLInputElement>
  /** Gets the focus when a dialog opens. */
  isFirst?: boolean
}) {
  const { text, edit, flush } = useDelayedEdit(props.keyword, props.onChange)
  return (
    <TextInput
      ref={props.inputRef}
      type="search"
      // Takes the available width before adjacent controls wrap.
      flex="1 1 160px"
      miw={130}
      maw={{ base: 'none', md: 300 }}
      leftSection={<IconSearch size={15} stroke={1.5} aria-hidden="true" />}
      rightSection={
        props.shortcut !== undefined && (
          <Kbd size="xs" visibleFrom="xl" aria-hidden="true">
            {props.shortcut}
          </Kbd>
        )
      }
      rightSectionPointerEvents="none"
      value={text}
      maxLength={props.maxLength}
      placeholder={props.label}
      aria-label={props.label}
      aria-keyshortcuts={props.shortcut}
      data-autofocus={props.isFirst || undefined}
      onChange={({ currentTarget }) => edit(currentTarget.value)}
      onKeyDown={(key) => {
        if (key.key === 'Enter') flush()
        if (key.key === 'Escape') edit('')
      }}
    />
  )
}
