import { useLayoutEffect, useRef } from 'react'

type TextField = HTMLInputElement | HTMLTextAreaElement

/**
 * Inserts placeholders at the cursor of the text field edited last, or at the end of `first` if none was edited. Each
 * field takes `register` as its ref and calls `focused`.
 */
export function usePlaceholderInsert<Name extends string>({
  first,
  values,
  onChange,
}: {
  first: Name
  /** Values of the form; the cursor is placed once they have changed. */
  values: object
  onChange: (name: Name, text: string) => void
}): {
  register: (name: Name, field: TextField | null) => void
  focused: (name: Name) => void
  insert: (placeholder: string) => void
} {
  const fields = useRef<Partial<Record<Name, TextField | null>>>({})
  const edited = useRef<Name | null>(null)
  /** Position of the cursor after an insertion. */
  const cursor = useRef<number | null>(null)

  useLayoutEffect(() => {
    const field = fields.current[edited.current ?? first]
    if (cursor.current !== null) field?.setSelectionRange(cursor.current, cursor.current)
    cursor.current = null
  }, [values, first])

  return {
    register: (name, field) => {
      fields.current[name] = field
    },
    focused: (name) => {
      edited.current = name
    },
    insert: (placeholder) => {
      const name = edited.current ?? first
      const field = fields.current[name]
      if (!field) return
      const end = field.value.length
      const [from, to] = edited.current === null ? [end, end] : [field.selectionStart ?? end, field.selectionEnd ?? end]
      const text = field.value.slice(0, from) + placeholder + field.value.slice(to)
      if (text.length > field.maxLength) return
      cursor.current = from + placeholder.length
      field.focus()
      onChange(name, text)
    },
  }
}
