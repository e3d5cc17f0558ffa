import { CloseButton, Combobox, Loader, TextInput, useCombobox } from '@mantine/core'
import { type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react'
import styles from './search-select.module.css'

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
        <Combobox.Options id={listId} className={styles.options} aria-label={props.label}>
          {props.options.map((option) => (
            <Combobox.Option key={option.value} value={option.value} className={styles.row}>
              <span className={styles.option}>
                <span>
                  {option.label}
                  {option.mark !== undefined && <span className={styles.mark}>{option.mark}</span>}
                </span>
                {option.hint !== undefined && <span className={styles.hint}>{option.hint}</span>}
              </span>
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
