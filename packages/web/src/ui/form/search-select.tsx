import { Badge, CloseButton, Combobox, Group, Loader, Text, TextInput, useCombobox } from '@mantine/core'
import { type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react'

export interface FoundOption {
  value: string
  label: string
  /** A second line, such as the key of a name. */
  hint?: string | undefined
  /** Distinguishes this option from others. */
  mark?: string | undefined
}

/**
 * Selects one value by typing. The parent provides the options for each `onSearch` call: with an empty text when the
 * field gets the focus, then at each key. `text` is the label of the chosen value.
 */
export function SearchSelect(props: {
  label: string
  text: string
  options: readonly FoundOption[]
  isLoading: boolean
  failed?: boolean
  onSearch: (search: string) => void
  onChoose: (value: string) => void
  onClear?: (() => void) | undefined
  error?: ReactNode
  description?: ReactNode
  placeholder?: string
  required?: boolean
  disabled?: boolean
}) {
  const [search, setSearch] = useState<string | null>(null)
  const listId = useId()
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const first = props.isLoading || search === null ? undefined : props.options[0]?.value
  const selectFirst = useEffectEvent(() => combobox.selectFirstOption())
  useEffect(() => {
    if (first !== undefined) selectFirst()
  }, [first])
  const canClear = props.onClear !== undefined && props.text !== '' && props.disabled !== true

  function type(text: string) {
    setSearch(text)
    props.onSearch(text)
    combobox.openDropdown()
    combobox.resetSelectedOption()
  }

  function close() {
    combobox.closeDropdown()
    setSearch(null)
  }

  return (
    <Combobox
      store={combobox}
      keepMounted={false}
      // Keeps the list next to its field in tab order and inside the same landmark.
      withinPortal={false}
      onOptionSubmit={(value) => {
        props.onChoose(value)
        close()
      }}
    >
      {/* Set here because the library's own link to the list is missing until the field renders again. */}
      <Combobox.Target withExpandedAttribute aria-controls={combobox.dropdownOpened ? listId : undefined}>
        <TextInput
          label={props.label}
          description={props.description}
          placeholder={props.placeholder ?? 'Type to search'}
          error={props.error}
          required={props.required ?? false}
          disabled={props.disabled ?? false}
          autoComplete="off"
          spellCheck={false}
          value={search ?? props.text}
          onChange={({ currentTarget }) => type(currentTarget.value)}
          role="combobox"
          aria-autocomplete="list"
          onFocus={({ currentTarget }) => {
            currentTarget.select()
            props.onSearch('')
          }}
          onClick={() => combobox.openDropdown()}
          onKeyDown={(key) => {
            // In an open list Enter chooses; it must not submit the form.
            if (key.key === 'Enter' && combobox.dropdownOpened) key.preventDefault()
          }}
          onBlur={close}
          rightSection={
            search !== null && props.isLoading ? (
              <Loader size={14} />
            ) : canClear ? (
              <CloseButton
                size="sm"
                aria-label={`Clear ${props.label}`}
                onMouseDown={(press) => press.preventDefault()}
                onClick={props.onClear}
              />
            ) : null
          }
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        {/* Five rows, taller on touch screens, then it scrolls (document 1 section 9). */}
        <Combobox.Options
          id={listId}
          aria-label={props.label}
          mah={{ base: 220, md: 160 }}
          style={{ overflowY: 'auto' }}
        >
          {props.options.map((option) => (
            <Combobox.Option key={option.value} value={option.value}>
              <Group component="span" justify="space-between" wrap="nowrap" gap={12}>
                {/* An id and its mark are never cut by a long hint. */}
                <Text span inherit flex="none" maw="70%" style={{ overflowWrap: 'anywhere' }}>
                  {option.label}
                  {option.mark !== undefined && (
                    <Badge component="span" variant="light" size="sm" radius={4} ml={8}>
                      {option.mark}
                    </Badge>
                  )}
                </Text>
                {option.hint !== undefined && (
                  <Text span size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                    {option.hint}
                  </Text>
                )}
              </Group>
            </Combobox.Option>
          ))}
          {props.options.length === 0 && <Combobox.Empty>{emptyLabel({ ...props, search })}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

function emptyLabel(found: { isLoading: boolean; failed?: boolean; search: string | null }): string {
  if (found.isLoading) return 'Searching…'
  if (found.failed) return 'Could not be loaded. Type again to retry.'
  return found.search ? 'Nothing found' : 'Type to search'
}
