import { Tabs } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import styles from './card.module.css'
import '@mantine/core/styles/Tabs.layer.css'
import tabCardStyles from './tab-card.module.css'

/** A panel with an optional title and controls at its end. `flush` removes the padding (for tables). */
export function Card(props: { title?: string; end?: ReactNode; flush?: boolean; children: ReactNode }) {
  const titleId = useId()
  return (
    <section className={styles.card} aria-labelledby={props.title === undefined ? undefined : titleId}>
      {props.title !== undefined && (
        <div className={styles.head}>
          <h2 id={titleId} className={styles.title}>
            {props.title}
          </h2>
          {props.end}
        </div>
      )}
      <div className={props.flush ? undefined : styles.body} data-untitled={props.title === undefined || undefined}>
        {props.children}
      </div>
    </section>
  )
}

/** A card with tabs; `panel` renders the open one. `end` is shown next to the tabs, e.g. a filter. */
export function TabCard<Value extends string>(props: {
  label: string
  value: Value
  onChange: (value: Value) => void
  tabs: readonly { value: Value; name: ReactNode; panel: () => ReactNode }[]
  end?: ReactNode
}) {
  const { label, tabs } = props
  return (
    <section className={tabCardStyles.card} aria-label={label}>
      <Tabs
        value={props.value}
        onChange={(value) => {
          const chosen = tabs.find((tab) => tab.value === value)
          if (chosen !== undefined) props.onChange(chosen.value)
        }}
        keepMounted={false}
        classNames={{ list: tabCardStyles.tabs, tab: tabCardStyles.tab }}
      >
        <div className={tabCardStyles.head}>
          <Tabs.List aria-label={label}>
            {tabs.map(({ value, name }) => (
              <Tabs.Tab key={value} value={value}>
                {name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {props.end !== undefined && <div className={tabCardStyles.end}>{props.end}</div>}
        </div>
        {tabs.map(({ value, panel }) => (
          <Tabs.Panel key={value} value={value}>
            {value === props.value && panel()}
          </Tabs.Panel>
        ))}
      </Tabs>
    </section>
  )
}
