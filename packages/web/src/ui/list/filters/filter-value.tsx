import { createContext, type ReactNode, use, useEffect, useEffectEvent } from 'react'
import { midSentence } from '../../../lib/folded.ts'
import type { FilterPress } from '../../../lib/list/filter-choice.ts'
import { CellText } from '../list-table.tsx'
import styles from './filter-value.module.css'

/** The list that a press opens on a page without a list, such as 'Open events'; null in a list. */
const LeadsTo = createContext<string | null>(null)

/**
 * Returns the component of a value that narrows a list to itself when it is pressed, or excludes itself when it is
 * pressed with Alt. A native button without handlers, because a hundred rows have hundreds of them; `FilterPresses`
 * listens. A value whose category has no label is searched for.
 */
export function filterValueOf<Category extends string>(categories: readonly { key: string; label: string }[]) {
  const labels = new Map(categories.map(({ key, label }) => [key, midSentence(label)]))
  return function FilterValue(props: {
    category: Category
    /** Without a value, only the children are shown. */
    value: string | null
    /** The label of the value, if it has another one. */
    name?: string
    /** Shown as `CellText` is. */
    text?: string | null
    /** In the colour of secondary text. */
    isQuiet?: boolean
    children?: ReactNode
  }) {
    const { category, value, text, children } = props
    const leadsTo = use(LeadsTo)
    const shown = text === undefined ? children : <CellText isQuiet={props.isQuiet}>{text}</CellText>
    if (value === null || value === '') return shown
    const { name = value } = props
    const label = labels.get(category)
    const what = label === undefined ? `“${name}”` : `${label}: ${name}`
    const inList = label === undefined ? `Search for ${what}.` : `Filter by ${what}. Alt: exclude.`
    return (
      <button
        type="button"
        className={styles.value}
        data-filter={category}
        data-value={value}
        title={leadsTo === null ? inList : `${leadsTo} with ${what}`}
      >
        {shown ?? <bdi>{name}</bdi>}
      </button>
    )
  }
}

/** Hears the presses of all such values of a screen. */
export function FilterPresses(props: {
  onPress: (press: FilterPress) => void
  /** The list that a press opens on a page without a list. */
  leadsTo?: string
  children: ReactNode
}) {
  const handle = useEffectEvent((event: MouseEvent | KeyboardEvent) => {
    const pressed = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-filter]') : null
    const { filter: category, value } = pressed?.dataset ?? {}
    if (category === undefined || value === undefined) return
    // Browsers differ in whether Alt+Enter clicks, so it is heard as a key.
    if (event instanceof KeyboardEvent && !(event.key === 'Enter' && event.altKey)) return
    event.preventDefault()
    props.onPress({ category, value, isExcluded: event.altKey })
  })
  useEffect(() => {
    const listener = (event: MouseEvent | KeyboardEvent) => handle(event)
    document.addEventListener('click', listener)
    document.addEventListener('keydown', listener)
    return () => {
      document.removeEventListener('click', listener)
      document.removeEventListener('keydown', listener)
    }
  }, [])
  return <LeadsTo value={props.leadsTo ?? null}>{props.children}</LeadsTo>
}
